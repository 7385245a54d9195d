#include "webstrata/capture/input_stream.h"
