// SPDX-License-Identifier: Apache-2.0

// Makes changes durable in groups: one sync for all that were made before it began.
//
//   GroupSync durable([&] { store.sync(); });
//   durable.changed();                                   // after each change
//   durable.then([](bool is_durable) { acknowledge(); });  // when all until now are on the disk
//
// The calls are made by a thread of its own, in the order in which they were asked for.

#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace webstrata::frontier {

class GroupSync {
 public:
  // `sync` throws if it fails; all calls from then on get false.
  explicit GroupSync(std::function<void()> sync);
  GroupSync(const GroupSync&) = delete;
  GroupSync& operator=(const GroupSync&) = delete;
  ~GroupSync();  // after the calls that were asked for

  void changed();
  using Then = std::function<void(bool is_durable)>;
  void then(Then call);
  // The same, waiting.
  bool wait();

 private:
  void work();

  std::function<void()> sync_;
  std::mutex mutex_;
  std::condition_variable woken_;
  std::vector<Then> calls_;
  bool is_dirty_ = false;
  bool has_failed_ = false;
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace webstrata::frontier
