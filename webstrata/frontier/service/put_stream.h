// SPDX-License-Identifier: Apache-2.0

// A stream of puts: reads messages, stores what they say, and answers each when it is durable.
//
// Reading goes on while earlier messages wait for the disk, up to a limit: a client that
// never reads its answers is not read from any more either. Private to module_*.cpp.
//
// A reactor lives until OnDone(), which comes after Finish(). It is finished when the client has no
// more messages, nothing waits for the disk and nothing is being written.

#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include <grpcpp/grpcpp.h>

#include "webstrata/frontier/store/group_sync.h"

namespace webstrata::frontier {

template <typename Message, typename Answer>
class PutStream : public grpc::ServerBidiReactor<Message, Answer> {
 public:
  using Store = std::function<Answer(const Message& message)>;  // never throws
  using Lost = std::function<void(Answer& answer)>;  // what it says if it could not be made durable

  PutStream(GroupSync& durable, Store store, Lost lost, std::function<void()> ended)
      : durable_(durable),
        store_(std::move(store)),
        lost_(std::move(lost)),
        ended_(std::move(ended)) {
    this->StartRead(&message_);
  }

  void OnReadDone(bool is_message) override {
    if (!is_message) {
      std::unique_lock lock(mutex_);
      has_read_all_ = true;
      finish_if_done(lock);
      return;
    }
    Answer answer = store_(message_);
    const std::scoped_lock lock(mutex_);
    ++unanswered_;
    unanswered_bytes_ += answer.ByteSizeLong();
    stored_.push_back(std::move(answer));
    make_durable();
    read_on();
  }

  void OnWriteDone(bool is_written) override {
    std::unique_lock lock(mutex_);
    is_writing_ = false;
    drop_answer();
    if (!is_written) is_broken_ = true;
    if (is_broken_) drop_answers();
    write_on();
    if (is_paused_) read_on();
    finish_if_done(lock);
  }

  void OnDone() override {
    ended_();
    delete this;
  }

 private:
  static constexpr std::size_t kUnansweredMax = 10'000;
  static constexpr std::size_t kUnansweredBytesMax = std::size_t{1} << 20;

  void read_on() {
    is_paused_ = unanswered_ >= kUnansweredMax || unanswered_bytes_ >= kUnansweredBytesMax;
    if (!is_paused_) this->StartRead(&message_);
  }

  void make_durable() {
    if (!syncing_.empty() || stored_.empty()) return;
    syncing_ = std::exchange(stored_, {});
    durable_.then([this](bool is_durable) { on_durable(is_durable); });
  }

  void on_durable(bool is_durable) {
    std::unique_lock lock(mutex_);
    for (Answer& answer : syncing_) {
      unanswered_bytes_ -= answer.ByteSizeLong();
      if (!is_durable) lost_(answer);
      unanswered_bytes_ += answer.ByteSizeLong();
      answers_.push_back(std::move(answer));
    }
    syncing_.clear();
    if (is_broken_) drop_answers();
    make_durable();
    write_on();
    if (is_paused_) read_on();
    finish_if_done(lock);
  }

  void drop_answer() {
    --unanswered_;
    unanswered_bytes_ -= answers_.front().ByteSizeLong();
    answers_.pop_front();
  }

  void drop_answers() {
    while (!answers_.empty()) drop_answer();
  }

  void write_on() {
    if (is_writing_ || answers_.empty()) return;
    is_writing_ = true;
    this->StartWrite(&answers_.front());
  }

  // The stream may be deleted before Finish() returns: nothing of it is used any more then.
  void finish_if_done(std::unique_lock<std::mutex>& lock) {
    if (!has_read_all_ || has_finished_ || is_writing_ || unanswered_ > 0) return;
    has_finished_ = true;
    lock.unlock();
    this->Finish(grpc::Status::OK);
  }

  GroupSync& durable_;
  Store store_;
  Lost lost_;
  std::function<void()> ended_;
  Message message_;
  std::mutex mutex_;
  std::vector<Answer> stored_;   // not durable yet
  std::vector<Answer> syncing_;  // waiting for the sync in progress
  std::deque<Answer> answers_;   // to be written; the first one is being written
  std::size_t unanswered_ = 0;
  std::size_t unanswered_bytes_ = 0;
  bool is_writing_ = false;
  bool is_paused_ = false;
  bool is_broken_ = false;
  bool has_read_all_ = false;
  bool has_finished_ = false;
};

// A stream that is refused.
template <typename Message, typename Answer>
class RefusedStream : public grpc::ServerBidiReactor<Message, Answer> {
 public:
  explicit RefusedStream(const grpc::Status& status) { this->Finish(status); }
  void OnDone() override { delete this; }
};

}  // namespace webstrata::frontier
