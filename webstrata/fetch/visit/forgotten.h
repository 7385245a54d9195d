// What an archive forgot is never asked. Whoever hands a URL over to a crawler asks here first, and
// asks again each time: a URL that waited may have been forgotten meanwhile.

#pragma once

#include <filesystem>
#include <functional>

#include "webstrata/facts/tombstones.h"
#include "webstrata/fetch/wire/clock.h"
#include "webstrata/url/url.h"

namespace webstrata {

using ForgottenUrl = std::function<bool(const Url&)>;

// Whether a URL is forgotten altogether, or at the time at which it would be asked. `clock` must
// outlive the answer.
ForgottenUrl forgotten_by(Tombstones tombstones, const Clock& clock);

// The same of an archive, whose tombstones are read again after it changed: a `forget` also holds
// for a crawl that runs. Throws Error(NotFound), here and later, if their key is lost.
ForgottenUrl forgotten_by_archive(const std::filesystem::path& archive, const Clock& clock);

}  // namespace webstrata
