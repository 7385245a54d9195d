#include "webstrata/cli/export_forms.h"

namespace webstrata {

void export_cdxj(const ExportFlags& flags, ProgressLine& line);   // export_lines.cpp
void export_jsonl(const ExportFlags& flags, ProgressLine& line);  // export_lines.cpp

const std::vector<ExportForm>& export_forms() {
  static const std::vector<ExportForm> all = {
      {"jsonl", "everything, as JSON lines: build makes the same archive of it", export_jsonl},
      {"cdxj", "an index line for each sighting; pipe it through LC_ALL=C sort", export_cdxj},
  };
  return all;
}

}  // namespace webstrata
