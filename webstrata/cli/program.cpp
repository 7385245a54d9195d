#include "webstrata/capture/reader.h"
