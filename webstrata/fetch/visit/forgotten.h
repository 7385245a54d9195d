// SPDX-License-Identifier: Apache-2.0

// What an archive forgot is never requested. Check here before every request: a URL that waited may
// have been forgotten meanwhile.

#pragma once

#include <filesystem>
#include <functional>

#include "webstrata/facts/tombstones.h"
#include "webstrata/fetch/wire/clock.h"
#include "webstrata/url/url.h"

namespace webstrata {

using ForgottenUrl = std::function<bool(const Url&)>;

// Whether a URL is forgotten altogether, or at the time at which it would be requested. `clock`
// must outlive the result.
ForgottenUrl forgotten_by(Tombstones tombstones, const Clock& clock);

// The same for an archive, whose tombstones are read again after it changed: a `forget` also
// applies to a running crawl. Throws Error(NotFound), here and later, if their key is lost.
ForgottenUrl forgotten_by_archive(const std::filesystem::path& archive, const Clock& clock);

}  // namespace webstrata
