// SPDX-License-Identifier: Apache-2.0

// The makers listed in planners.cpp.

#pragma once

#include <memory>

#include "webstrata/liverank/planners.h"

namespace webstrata {

using PlannerMaker = std::unique_ptr<Planner>(const Population&, const PlannerOptions&);

PlannerMaker make_auto_planner;            // auto_planner.cpp
PlannerMaker make_lore_planner;            // lore_planner.cpp
PlannerMaker make_exploring_lore_planner;  // lore_planner.cpp
PlannerMaker make_pb_planner;              // pb_planner.cpp
PlannerMaker make_pa_planner;              // pa_planner.cpp
PlannerMaker make_pa_ratio_planner;        // pa_planner.cpp
PlannerMaker make_asf_planner;             // asf_planner.cpp
PlannerMaker make_bfs_planner;             // bfs_planner.cpp
PlannerMaker make_ai_planner;              // ai_planner.cpp
PlannerMaker make_recursive_planner;       // recursive_planner.cpp
PlannerMaker make_pagerank_planner;        // static_planners.cpp
PlannerMaker make_indegree_planner;        // static_planners.cpp
PlannerMaker make_random_planner;          // static_planners.cpp

}  // namespace webstrata
