#include "webstrata/capture/html_links.h"
