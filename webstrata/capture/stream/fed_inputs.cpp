// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/fed_inputs_test.cpp and tests/python/file_objects_test.py.

#include "webstrata/capture/stream/fed_inputs.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/interruption.h"

namespace webstrata {

struct FedInputs::State {
  struct Input {
    std::string name;
    bool is_open = false;
    bool is_ended = false;
    bool is_asked = false;  // the feeder is fetching bytes
    std::string bytes;      // not yet read
    std::string failure;
  };

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Input> inputs;
  bool is_closed = false;
};

namespace {

constexpr std::size_t kFedAheadBytes = std::size_t{2} << 20;
constexpr auto kFeedLookAround = std::chrono::milliseconds(100);  // for a cancellation

using StateRef = std::shared_ptr<FedInputs::State>;

struct Registry {
  std::mutex mutex;
  std::map<std::string, std::pair<StateRef, std::size_t>> inputs;
  std::uint64_t last_number = 0;
};

Registry& registry() {
  static Registry all;
  return all;
}

class FedProducer : public ByteProducer {
 public:
  FedProducer(StateRef state, std::size_t number) : state_(std::move(state)), number_(number) {}
  ~FedProducer() override {
    const std::lock_guard lock(state_->mutex);
    input().is_open = false;
    input().is_ended = true;
    input().bytes.clear();
  }

  std::size_t produce(char* to, std::size_t size) override {
    std::size_t done = 0;
    while (done < size) {
      if (given_ == taken_.size() && !take()) break;
      const std::size_t count = std::min(size - done, taken_.size() - given_);
      std::memcpy(to + done, taken_.data() + given_, count);
      given_ += count;
      done += count;
    }
    return done;
  }

 private:
  FedInputs::State::Input& input() { return state_->inputs[number_]; }

  // False at the end.
  bool take() {
    taken_.clear();
    given_ = 0;
    std::unique_lock lock(state_->mutex);
    while (input().bytes.empty() && !input().is_ended) {
      if (state_->is_closed) throw Error(ErrorKind::Cancelled, "cancelled");
      state_->changed.wait_for(lock, kFeedLookAround);
      lock.unlock();
      check_file_interruption();
      lock.lock();
    }
    if (!input().failure.empty()) {
      throw Error(ErrorKind::Io, fmt::format("{}: {}", input().name, input().failure));
    }
    std::swap(taken_, input().bytes);
    state_->changed.notify_all();
    return !taken_.empty();
  }

  StateRef state_;
  std::size_t number_;
  std::string taken_;
  std::size_t given_ = 0;
};

}  // namespace

FedInputs::FedInputs(const std::vector<std::string>& file_names)
    : state_(std::make_shared<State>()) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  for (const std::string& file : file_names) {
    names_.push_back(fmt::format("object {}/{}", ++all.last_number, file));
    all.inputs[names_.back()] = {state_, state_->inputs.size()};
    state_->inputs.emplace_back().name = names_.back();
  }
}

FedInputs::~FedInputs() {
  close();
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  for (const std::string& name : names_) all.inputs.erase(name);
}

std::optional<std::size_t> FedInputs::next() {
  std::unique_lock lock(state_->mutex);
  while (!state_->is_closed) {
    for (std::size_t number = 0; number < state_->inputs.size(); ++number) {
      State::Input& input = state_->inputs[number];
      if (!input.is_open || input.is_ended || input.is_asked ||
          input.bytes.size() >= kFedAheadBytes) {
        continue;
      }
      input.is_asked = true;
      return number;
    }
    state_->changed.wait(lock);
  }
  return std::nullopt;
}

void FedInputs::give(std::size_t number, std::string bytes) {
  const std::lock_guard lock(state_->mutex);
  State::Input& input = state_->inputs.at(number);
  input.is_asked = false;
  if (bytes.empty()) input.is_ended = true;
  if (input.is_open) input.bytes.append(bytes);
  state_->changed.notify_all();
}

void FedInputs::fail(std::size_t number, std::string reason) {
  const std::lock_guard lock(state_->mutex);
  State::Input& input = state_->inputs.at(number);
  input.is_asked = false;
  input.is_ended = true;
  input.failure = std::move(reason);
  state_->changed.notify_all();
}

void FedInputs::close() {
  const std::lock_guard lock(state_->mutex);
  state_->is_closed = true;
  state_->changed.notify_all();
}

std::unique_ptr<ByteProducer> open_fed_input(const std::filesystem::path& name) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.inputs.find(name.string());
  if (found == all.inputs.end()) return nullptr;
  const auto& [state, number] = found->second;
  const std::lock_guard state_lock(state->mutex);
  FedInputs::State::Input& input = state->inputs[number];
  if (input.is_open || input.is_ended) {
    throw Error(ErrorKind::BadInput, fmt::format("{}: can be read only once", input.name));
  }
  input.is_open = true;
  state->changed.notify_all();
  return std::make_unique<FedProducer>(state, number);
}

}  // namespace webstrata
