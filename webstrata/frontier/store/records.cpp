// SPDX-License-Identifier: Apache-2.0

// Each record is a version and its fields in order: numbers as varints, text with its length.
// Tested by tests/frontier/records_test.cpp.

#include "webstrata/frontier/store/records.h"

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"

namespace webstrata::frontier {
namespace {

constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kNumberBytes = 8;

void append_big_endian(std::string& out, std::uint64_t number, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(number >> shift));
  }
}

std::uint64_t big_endian_at(std::string_view bytes, std::size_t position) {
  if (bytes.size() < position + kNumberBytes) {
    throw Error(ErrorKind::Corrupt, "frontier: a key is too short");
  }
  std::uint64_t number = 0;
  for (const char byte : bytes.substr(position, kNumberBytes)) {
    number = number << 8 | static_cast<unsigned char>(byte);
  }
  return number;
}

void append_text(std::string& out, std::string_view text) {
  append_varint(out, text.size());
  out += text;
}

std::string take_text(ByteReader& reader) {
  const std::uint64_t size = reader.varint();
  return std::string(reader.take(size));
}

void check_version(ByteReader& reader) {
  if (reader.varint() != kVersion) {
    throw Error(ErrorKind::Corrupt, "frontier: a record of another version of webstrata");
  }
}

std::string prefixed(char letter, std::uint64_t number) {
  std::string key(1, letter);
  append_big_endian(key, number, kNumberBytes);
  return key;
}

}  // namespace

std::uint64_t& QueueRecord::count_of(UrlState state) noexcept {
  switch (state) {
    case UrlState::Ready:
      return ready;
    case UrlState::Waiting:
      return waiting;
    case UrlState::Leased:
      return leased;
    case UrlState::Done:
      break;
  }
  return done;
}

std::string encode(const UrlRecord& record) {
  std::string out;
  append_varint(out, kVersion);
  append_varint(out, static_cast<std::uint64_t>(record.state));
  for (const std::uint64_t number :
       {std::uint64_t{record.score}, record.date, record.arrival, record.timer, record.created}) {
    append_varint(out, number);
  }
  append_varint(out, record.metadata.size());
  for (const auto& [name, values] : record.metadata) {
    append_text(out, name);
    append_varint(out, values.size());
    for (const std::string& value : values) append_text(out, value);
  }
  return out;
}

UrlRecord decode_url(std::string_view bytes) {
  ByteReader reader(bytes, "URL of a frontier");
  check_version(reader);
  UrlRecord record;
  const std::uint64_t state = reader.varint();
  if (state > static_cast<std::uint64_t>(UrlState::Done)) {
    throw Error(ErrorKind::Corrupt, "URL of a frontier: unknown state");
  }
  record.state = static_cast<UrlState>(state);
  record.score = static_cast<std::uint32_t>(reader.varint());
  record.date = reader.varint();
  record.arrival = reader.varint();
  record.timer = reader.varint();
  record.created = reader.varint();
  for (std::uint64_t names = reader.varint(); names > 0; --names) {
    auto& [name, values] = record.metadata.emplace_back();
    name = take_text(reader);
    for (std::uint64_t left = reader.varint(); left > 0; --left) {
      values.push_back(take_text(reader));
    }
  }
  return record;
}

std::string encode(const QueueRecord& record) {
  std::string out;
  append_varint(out, kVersion);
  append_text(out, record.crawl);
  append_text(out, record.key);
  append_varint(out, static_cast<std::uint64_t>(record.delay + 1));
  for (const std::uint64_t number : {record.blocked_until, record.limit, record.last_served,
                                     record.ready, record.waiting, record.leased, record.done}) {
    append_varint(out, number);
  }
  return out;
}

QueueRecord decode_queue(std::string_view bytes) {
  ByteReader reader(bytes, "queue of a frontier");
  check_version(reader);
  QueueRecord record;
  record.crawl = take_text(reader);
  record.key = take_text(reader);
  record.delay = static_cast<std::int64_t>(reader.varint()) - 1;
  for (std::uint64_t* number : {&record.blocked_until, &record.limit, &record.last_served,
                                &record.ready, &record.waiting, &record.leased, &record.done}) {
    *number = reader.varint();
  }
  return record;
}

std::string queue_key(QueueId queue) { return prefixed('q', queue); }
std::string urls_of(QueueId queue) { return prefixed('u', queue); }
std::string ready_of(QueueId queue) { return prefixed('r', queue); }
std::string timers_from(std::uint64_t time) { return prefixed('t', time); }
std::string setting_key(std::string_view name) { return std::string("m").append(name); }
std::string url_key(QueueId queue, std::string_view url) { return urls_of(queue).append(url); }

std::string ready_key(QueueId queue, const UrlRecord& record) {
  std::string key = ready_of(queue);
  append_big_endian(key, ~record.score, 4);
  append_big_endian(key, record.date, kNumberBytes);
  append_big_endian(key, record.arrival, kNumberBytes);
  return key;
}

std::string timer_key(QueueId queue, const UrlRecord& record) {
  std::string key = timers_from(record.timer);
  append_big_endian(key, queue, kNumberBytes);
  append_big_endian(key, record.arrival, kNumberBytes);
  return key;
}

QueueId queue_in(std::string_view queue_key) { return big_endian_at(queue_key, 1); }
std::string_view url_in(std::string_view url_key) { return url_key.substr(1 + kNumberBytes); }
std::uint64_t time_in(std::string_view timer_key) { return big_endian_at(timer_key, 1); }
QueueId queue_of_timer(std::string_view timer_key) {
  return big_endian_at(timer_key, 1 + kNumberBytes);
}

}  // namespace webstrata::frontier
