#include "webstrata/url/url.h"
