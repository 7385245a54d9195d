// SPDX-License-Identifier: Apache-2.0

// Tested by tests/words/url_word_test.cpp.

#include "webstrata/words/forget_word.h"

#include "webstrata/words/url_word.h"

namespace webstrata {

Forget parse_forget_word(ForgetScope scope, const std::string& word, bool exactly) {
  Forget forget{.scope = scope, .text = word, .exactly = exactly};
  const auto url = parse_url_word(word);
  if (exactly || !url) return forget;
  if (url->form == UrlWord::Form::Domain) {
    forget.scope = ForgetScope::Host;
    forget.text = url->text;
  } else if (url->form == UrlWord::Form::Prefix && scope != ForgetScope::Host) {
    forget.scope = ForgetScope::Prefix;
    forget.text = url->text;
  }
  return forget;
}

}  // namespace webstrata
