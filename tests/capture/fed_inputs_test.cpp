// SPDX-License-Identifier: Apache-2.0

#include "webstrata/capture/stream/fed_inputs.h"

#include <gtest/gtest.h>

#include <thread>

#include "webstrata/base/error.h"
#include "webstrata/capture/stream/input_place.h"
#include "webstrata/capture/stream/input_stream.h"

namespace webstrata {
namespace {

TEST(FedInputs, GiveTheirBytesInOrder) {
  FedInputs inputs({"x.warc", "y.warc"});
  const std::string whole(5'000'000, 'x');
  std::size_t given = 0;
  std::size_t largest_lead = 0;
  std::atomic<std::size_t> read = 0;
  std::thread feeder([&] {
    while (const auto number = inputs.next()) {
      EXPECT_EQ(*number, 0U);  // nobody reads the other one
      const std::string bytes = whole.substr(given, 100'000);
      given += bytes.size();
      largest_lead = std::max(largest_lead, given - read);
      inputs.give(*number, bytes);
    }
  });
  Report report;
  {
    InputStream in(inputs.names()[0], report);
    EXPECT_EQ(input_file_name(inputs.names()[0]), "x.warc");
    EXPECT_FALSE(look_at_input(inputs.names()[0]).can_be_entered);
    for (std::string_view bytes = in.peek(1); !bytes.empty(); bytes = in.peek(1)) {
      read += bytes.size();
      in.skip(bytes.size());
    }
  }
  inputs.close();
  feeder.join();
  EXPECT_EQ(read, whole.size());
  EXPECT_LT(largest_lead, 4'000'000U);
  EXPECT_THROW(InputStream(inputs.names()[0], report), Error);  // a second time
}

TEST(FedInputs, FailWithTheReason) {
  FedInputs inputs({"x.warc"});
  std::thread feeder([&] {
    inputs.give(*inputs.next(), "some bytes");
    inputs.fail(*inputs.next(), "OSError: the disk is gone");
  });
  Report report;
  try {
    InputStream in(inputs.names()[0], report);
    while (in.skip(1) > 0) {
    }
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string_view(error.what()).find("x.warc: OSError: the disk is gone"),
              std::string_view::npos);
  }
  feeder.join();
}

TEST(FedInputs, EndWhenTheyAreClosed) {
  FedInputs inputs({"x.warc"});
  std::thread closer([&] {
    EXPECT_TRUE(inputs.next());
    inputs.close();
    EXPECT_FALSE(inputs.next());
  });
  Report report;
  EXPECT_THROW(InputStream(inputs.names()[0], report), Error);
  closer.join();
}

TEST(FedInputs, AreUnknownAfterwards) {
  std::string name;
  {
    const FedInputs inputs({"x.warc"});
    name = inputs.names()[0];
  }
  EXPECT_EQ(open_fed_input(name), nullptr);
}

}  // namespace
}  // namespace webstrata
