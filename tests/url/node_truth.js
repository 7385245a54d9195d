// Reads pairs as JSON lines [base, reference] and prints what Node's URL makes of each: the parts of
// the result without fragment and userinfo, and whether Node parses it again; null for a failure.
const lines = require('readline').createInterface({input: process.stdin});
const out = [];
lines.on('line', (line) => {
  const [base, reference] = JSON.parse(line);
  try {
    const url = base === '' ? new URL(reference) : new URL(reference, base);
    url.hash = '';
    url.username = '';
    url.password = '';
    out.push(JSON.stringify({href: url.href, host: url.hostname, stands: URL.canParse(url.href)}));
  } catch (error) {
    out.push('null');
  }
});
lines.on('close', () => process.stdout.write(out.join('\n') + '\n'));
