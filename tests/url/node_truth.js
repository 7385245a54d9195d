// Reads pairs as JSON lines [base, reference] and prints what Node's URL makes of each: the parts of
// the result without fragment and userinfo, or null for a failure.
const lines = require('readline').createInterface({input: process.stdin});
const out = [];
lines.on('line', (line) => {
  const [base, reference] = JSON.parse(line);
  try {
    const url = base === '' ? new URL(reference) : new URL(reference, base);
    url.hash = '';
    url.username = '';
    url.password = '';
    out.push(JSON.stringify({href: url.href, protocol: url.protocol, host: url.hostname}));
  } catch (error) {
    out.push('null');
  }
});
lines.on('close', () => process.stdout.write(out.join('\n') + '\n'));
