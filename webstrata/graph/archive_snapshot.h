// SPDX-License-Identifier: Apache-2.0

// A graph out of an archive: as it was at a time, during a time, or ever.
//
//   const Archive archive = Archive::open("lib.ws");
//   const Snapshot then = snapshot_of(archive, {.time = GraphTime::at(time)});
//   const Snapshot hosts = snapshot_of(archive, {.view = {.level = Level::Host}});
//
// Links of a page:
// - at a time: those of its state then, as Archive::links_at() returns them. A page that is gone,
//   or of which nothing is known yet, has none; one that moved has its redirect.
// - during a time: all links of its captures made in that time. With `carry` also those of its
//   state at the first second, which earlier captures determine.
// - ever: all that any of its captures had.
//
// Nodes are the pages and the targets of the graph's links. A page of the graph is one that existed
// at that time (present or moved), or that was captured during that time (with `carry`: or existed
// at its first second), or ever. What an archive knows only as gone, from index lines alone, or
// from links of other times or kinds, is not a node.
//
// Nodes are in the order of uids and remember them (Snapshot::uid), unless they were joined.
// Names are read from the archive on demand, so the Snapshot keeps its generation open.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/graph/graph_view.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

struct GraphTime {
  enum class Form : std::uint8_t { Ever, At, During };

  static GraphTime ever() { return {}; }
  static GraphTime at(Time time) { return {Form::At, {time, time}, false}; }
  static GraphTime during(TimeInterval interval, bool carry = false) {
    return {Form::During, interval, carry};
  }

  Form form = Form::Ever;
  TimeInterval interval = {};  // both ends are the moment of `At`; ignored for `Ever`
  bool carry = false;

  // When the captures were made that count: all up to the moment of `At`.
  [[nodiscard]] TimeInterval covered() const {
    if (form == Form::Ever) return kAllTime;
    if (form == Form::At) return {kAllTime.first, interval.last};
    return interval;
  }

  friend bool operator==(const GraphTime&, const GraphTime&) = default;
};

// Which columns are filled (columns.h). They cover what was known by the moment of `at`, what was
// found inside the interval of `during`, or everything.
struct WantedNodeColumns {
  bool outcome = false;
  bool captures = false;  // first, last and number of captures; 0 if there are none
  bool changes = false;   // changes seen and span: of sightings as a present page with a digest
  bool content = false;   // digests, length and title of the last sighting that knows them

  friend bool operator==(const WantedNodeColumns&, const WantedNodeColumns&) = default;
};
struct WantedLinkColumns {
  bool kinds = false;  // all kinds that the link had
  bool count =
      false;  // the largest of any capture; for joined pages, the number of page links joined
  bool seen = false;  // time of the first and last capture that had it

  friend bool operator==(const WantedLinkColumns&, const WantedLinkColumns&) = default;
};

struct SnapshotRequest {
  GraphTime time = {};
  LinkKinds kinds = kGraphKinds;  // a link counts while it is of one of these kinds
  GraphView view = {};
  WantedNodeColumns node_columns = {};
  WantedLinkColumns link_columns = {};
  // Columns of scores that the archive keeps, of nodes and, where there are some, of links
  // (score_columns.h). Throws Error(NotFound) if there is none of that name.
  std::vector<std::string> scores = {};
  WorkOptions work = {};
  // An archive with more uids than node numbers is read twice rather than kept in 64 bits. Tests
  // lower this limit.
  std::uint64_t one_pass_uids_max = kNodesMax;
};

// Blocks are read in parallel. At the peak it takes 8 bytes per link and 16 per node, and 1.1 bits
// for every uid of the archive; columns come on top. Throws Error(BadInput) above kNodesMax nodes,
// Error(Corrupt), Error(Cancelled).
Snapshot snapshot_of(const Archive& archive, const SnapshotRequest& request = {});

}  // namespace webstrata
