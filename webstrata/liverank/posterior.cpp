// SPDX-License-Identifier: Apache-2.0

// Tested by tests/liverank/posterior_test.cpp.

#include "webstrata/liverank/posterior.h"

#include <cmath>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/liverank/lore_model.h"

namespace webstrata {

struct Posterior::State {
  State(const Population& pages, std::uint64_t seed) : model(pages, seed), answers(pages.size()) {}

  // A fit costs as much as there are answers, so it waits until there are an eighth more: the sum
  // of all fits is then about nine times the last one.
  void fit_if_due() {
    const std::size_t count = model.tested().size();
    if (count == 0 || count < fitted + fitted / 8 + (fitted > 0 ? 1 : 0)) return;
    model.fit();
    fitted = count;
  }

  LoreModel model;
  std::vector<Verdict> answers;
  std::size_t fitted = 0;  // answers at the last fit
};

Posterior::Posterior(const Population& pages, std::uint64_t seed)
    : state_(std::make_unique<State>(pages, seed)) {}
Posterior::~Posterior() = default;
Posterior::Posterior(Posterior&&) noexcept = default;
Posterior& Posterior::operator=(Posterior&&) noexcept = default;

void Posterior::learn(Node page, bool is_live) {
  if (page >= state_->answers.size()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("page {}: there are {} pages", page, state_->answers.size()));
  }
  Verdict& answer = state_->answers[page];
  if (answer != Verdict::Undecided) return;
  answer = is_live ? Verdict::Live : Verdict::Dead;
  state_->model.add(page, is_live);
}

double Posterior::probability(Node page) {
  const Verdict answer = state_->answers.at(page);
  if (answer != Verdict::Undecided) return answer == Verdict::Live ? 1 : 0;
  state_->fit_if_due();
  if (!state_->model.has_weights()) return state_->model.rate();
  return 1 / (1 + std::exp(-state_->model.log_odds(page)));
}

std::vector<double> Posterior::probabilities() {
  std::vector<double> all(state_->answers.size());
  for (Node page = 0; page < all.size(); ++page) all[page] = probability(page);
  return all;
}

}  // namespace webstrata
