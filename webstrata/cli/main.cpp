#include "webstrata/cli/program.h"

int main(int argument_count, char** arguments) {
  return webstrata::run_program(argument_count, arguments);
}
