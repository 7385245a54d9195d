#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

#include "webstrata/explore/estimator_makers.h"
#include "webstrata/explore/frontier_pass.h"
#include "webstrata/explore/recursive_least_squares.h"

namespace webstrata {
namespace {
double P(const char* name, double fallback) {
  const char* v = std::getenv(name);
  return v ? std::atof(v) : fallback;
}
struct Par {
  double warm = P("X_warm", .05), disc = P("X_disc", .99), tdisc = P("X_tdisc", .999),
         opt = P("X_opt", 0), tsd = P("X_tsd", 1.0), n0 = P("X_n0", 1), ridge = P("X_ridge", 1);
  int experts = int(P("X_experts", 31));
  int feats = int(P("X_feats", 0xfffffff));
  double sibshrink = P("X_sib", .2), gshrink = P("X_gs", 1), cellshrink = P("X_cs", 3);
  double lam = P("X_lam", 1);
};

constexpr int kMaxW = 64;
struct NodeStats {
  double wn = 0, wc = 0, sn = 0, sc = 0, pos = 0, sna = 0, sca = 0;
};
struct Parent {
  double cs = 0, cc = 0, csa = 0, cca = 0;
};

class Features {
 public:
  Features(const KnownGraph& known, const Par& par)
      : known_(known), par_(par), group_(known.level_count()) {}
  double mu = .5;
  NeighbourFeatures nh;
  OpicCash cash;
  std::vector<NodeStats> st;
  std::vector<Parent> parent;
  struct Mean {
    double s = 0, c = 0;
  };
  std::vector<std::vector<Mean>> group_;
  std::vector<Mean> cells_ = std::vector<Mean>(4096);
  double bs = 0, bc = 0;

  int cell(Node v) const {
    const NeighbourFacts& f = nh.of(v);
    auto bin = [](double x) { return x <= 0 ? 0 : x < 1.2 ? 1 : x < 2 ? 2 : x < 3 ? 3 : 4; };
    int c = f.count >= 8 ? 3 : f.count >= 4 ? 2 : f.count >= 2 ? 1 : 0;
    return (bin(f.max[0]) * 5 + bin(f.max[1])) * 4 + c;
  }
  void before(const CrawlStep& step) {  // the page's own outcome, features not yet changed
    const Node v = step.node;
    for (std::size_t l = 0; l < group_.size(); ++l) {
      Group g = known_.groups(v)[l];
      if (g == kNoGroup) continue;
      if (g >= group_[l].size()) group_[l].resize(g + 1);
      group_[l][g].s += step.score;
      group_[l][g].c += 1;
    }
    if (!step.is_seed) {
      Mean& m = cells_[cell(v)];
      m.s += step.score;
      m.c += 1;
      bs += step.score;
      bc += 1;
      mu = (bs + .2) / (bc + 2);
    }
  }
  void learn(const CrawlStep& step) {
    const Node v = step.node;
    st.resize(known_.size());
    parent.resize(known_.size());
    before(step);
    nh.learn(step);
    cash.learn(known_, step);
    const double od = double(step.links.size());
    // parents of v: their children learn
    known_.for_each_in_link(v, [&](Node u, double alpha) {
      if (u == v) return;
      const auto ls = known_.links(u);
      if (ls.size() > 1000) return;
      const double w = 1.0 / double(ls.size());
      for (const KnownLink& l : ls) {
        st[l.target].sn += w * step.score;
        st[l.target].sc += w;
        if ((l.score > 0) == (alpha > 0)) {
          st[l.target].sna += w * step.score;
          st[l.target].sca += w;
        }
      }
      parent[u].cs += step.score;
      parent[u].cc += 1;
    });
    if (step.links.empty()) return;
    double S = 0, C = 0, SA[2] = {}, CA[2] = {};
    for (const KnownLink& l : step.links) {
      if (known_.is_crawled(l.target)) {
        S += known_.score(l.target);
        C += 1;
        SA[l.score > 0] += known_.score(l.target);
        CA[l.score > 0] += 1;
      }
    }
    const double w = 1 / std::sqrt(od);
    const bool small = step.links.size() <= 1000;
    for (const KnownLink& l : step.links) {
      NodeStats& s = st[l.target];
      s.wn += w * step.score;
      s.wc += w;
      s.pos += step.score > 0;
      if (small) {
        s.sn += S / od;
        s.sc += C / od;
        s.sna += SA[l.score > 0] / od;
        s.sca += CA[l.score > 0] / od;
      }
    }
  }
  double sib(Node v, double k) const {
    const NodeStats& s = st[v];
    return (s.sn + k * mu) / (s.sc + k);
  }
  double siba(Node v, double k) const {
    const NodeStats& s = st[v];
    return (s.sna + k * mu) / (s.sca + k);
  }
  double gm(Node v, std::size_t l, double k) const {
    Group g = known_.groups(v)[l];
    if (g == kNoGroup || g >= group_[l].size()) return mu;
    return (group_[l][g].s + k * mu) / (group_[l][g].c + k);
  }
  int row(Node v, double* x) const {
    const NeighbourFacts& f = nh.of(v);
    const NodeStats& s = st[v];
    const double c = std::max<double>(1, f.count);
    int n = 0;
    int bit = 0;
    auto put = [&](double value) { x[n++] = (par_.feats >> bit) & 1 ? value : 0; };
    put(1);
    put(f.max[0]);
    put(f.max[1]);
    put(f.max[2]);
    put(f.sum[0] / c);
    put(f.sum[1] / c);
    put(std::log1p(f.sum[0]));
    put(std::log1p(f.sum[1]));
    put(std::log1p(f.sum[2]));
    put(std::log1p(f.count));
    bit = 1;
    put(s.pos / c);
    const double wp = (s.wn + .3 * mu) / (s.wc + .3);
    put(wp);
    put(f.max[1] > 0);
    put((f.max[1] > 0) * f.max[0]);
    bit = 2;
    const double sb = sib(v, par_.sibshrink);
    put(sb);
    bit = 3;
    double g0 = mu, gl = mu;
    for (std::size_t l = 0; l < group_.size(); ++l) {
      double g = gm(v, l, par_.gshrink);
      put(g);
      if (l == 1) g0 = g;
      gl = g;
    }
    bit = 4;
    put(std::log1p(50 * cash.cash(v)));
    bit = 5;
    put(f.sum[0] == 0);
    put(f.count >= 2);
    put(f.count >= 4);
    put(f.count >= 8);
    bit = 6;
    put(wp * sb);
    put(sb * gl);
    put(g0 * gl);
    put((f.max[1] > 0) * sb);
    bit = 7;
    put(siba(v, par_.sibshrink));
    bit = 8;
    const Mean& m = cells_[cell(v)];
    put((m.s + par_.cellshrink * mu) / (m.c + par_.cellshrink));
    return n;
  }

 private:
  const KnownGraph& known_;
  const Par& par_;
};

class ExtraEstimator : public Estimator {
 public:
  ExtraEstimator(const KnownGraph& known, const EstimatorOptions& options)
      : Estimator(known),
        f_(known, par_),
        random_(options.seed),
        ties_(TieRule::NodeSum, 1),
        warm_(std::uint64_t(std::llround(par_.warm * double(options.budget)))) {
    EstimatorOptions o = options;
    o.ties = TieRule::NodeSum;
    ne_ = make_nh_estimator(known, o, NeighbourKind::Both, NeighbourJoin::Sum);
    ns_ = make_nh_estimator(known, o, NeighbourKind::Nodes, NeighbourJoin::Sum);
    nm_ = make_nh_estimator(known, o, NeighbourKind::Nodes, NeighbourJoin::Max);
    opic_ = make_opic_estimator(known, o, CashShare::Equal);
    for (int k = 0; k < 7; ++k)
      if (par_.experts >> k & 1) experts_.push_back(k);
    S_.resize(7);
    N_.resize(7);
  }
  void begin(std::span<const Node> seeds) override {
    f_.cash.begin(seeds);
    opic_->begin(seeds);
  }
  void came(Node v) override {
    ne_->came(v);
    ns_->came(v);
    nm_->came(v);
    opic_->came(v);
  }
  void left(Node v, std::size_t p) override {
    ne_->left(v, p);
    ns_->left(v, p);
    nm_->left(v, p);
    opic_->left(v, p);
  }
  void learn(const CrawlStep& step) override {
    if (!step.is_seed) {
      f_.st.resize(known_.size());
      double x[kMaxW];
      int n = f_.row(step.node, x);
      if (!rls_) rls_ = std::make_unique<RecursiveLeastSquares>(n, par_.ridge, par_.lam);
      rls_->learn({x, std::size_t(n)}, step.score);
      glob_.push_back(step.score);
      ++t_;
      if (chosen_ >= 0) {
        for (int k : experts_) {
          S_[k] *= par_.tdisc;
          N_[k] *= par_.tdisc;
        }
        S_[chosen_] = S_[chosen_] * par_.disc + step.score;
        N_[chosen_] = N_[chosen_] * par_.disc + 1;
      }
    } else
      seedsum_ += step.score, seedcount_ += 1;
    f_.learn(step);
    ties_.learn(step);
    ne_->learn(step);
    ns_->learn(step);
    nm_->learn(step);
    opic_->learn(step);
  }
  double score(Node v) override {
    double x[kMaxW];
    f_.st.resize(known_.size());
    int n = f_.row(v, x);
    return rls_ ? rls_->predict({x, std::size_t(n)}) : 0;
  }
  double normal() {
    double u = 1 - random_.unit();
    return std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * random_.unit());
  }
  void best(std::size_t count, std::vector<Node>& nodes) override {
    f_.st.resize(known_.size());
    if (t_ < warm_ || !rls_) {
      chosen_ = -1;
      return ne_->best(count, nodes);
    }
    double m = 0, sd = 0;
    {
      int n = 0;
      double s = 0;
      for (std::size_t i = glob_.size() > 100 ? glob_.size() - 100 : 0; i < glob_.size(); ++i)
        s += glob_[i], ++n;
      m = n ? s / n : .5 * seedsum_ / seedcount_;
    }
    {
      int n = 0;
      double s = 0, q = 0;
      for (std::size_t i = glob_.size() > 200 ? glob_.size() - 200 : 0; i < glob_.size(); ++i)
        s += glob_[i], q += glob_[i] * glob_[i], ++n;
      if (n) sd = std::sqrt(std::max(0., q / n - s / n * s / n));
      sd += .1;
    }
    double top = -1e300;
    for (int k : experts_) {
      double th = (S_[k] + par_.n0 * m) / (N_[k] + par_.n0) +
                  par_.tsd * sd * normal() / std::sqrt(N_[k] + par_.n0);
      if (k == 0) th += par_.opt * sd / std::sqrt(1 + N_[k]);
      if (th > top) top = th, chosen_ = k;
    }
    switch (chosen_) {
      case 1:
        return ns_->best(count, nodes);
      case 2:
        return opic_->best(count, nodes);
      case 4:
        return ne_->best(count, nodes);
      case 5:
        return nm_->best(count, nodes);
      default:
        break;
    }
    scores_.resize(known_.frontier().size());
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      const Node v = known_.frontier()[i];
      if (chosen_ == 3)
        scores_[i] = f_.sib(v, .02);
      else if (chosen_ == 6)
        scores_[i] = f_.siba(v, .02);
      else {
        double x[kMaxW];
        int n = f_.row(v, x);
        scores_[i] = rls_->predict({x, std::size_t(n)});
      }
    }
    best_of_scores(known_, ties_, scores_, count, nodes);
  }

 private:
  Par par_;
  Features f_;
  Random random_;
  Ties ties_;
  std::uint64_t warm_, t_ = 0;
  EstimatorPointer ne_, ns_, nm_, opic_;
  std::unique_ptr<RecursiveLeastSquares> rls_;
  std::vector<int> experts_;
  std::vector<double> S_, N_, glob_, scores_;
  int chosen_ = -1;
  double seedsum_ = 0, seedcount_ = 0;
};
}  // namespace

EstimatorPointer make_extra_estimator(const KnownGraph& known, const EstimatorOptions& options) {
  return std::make_unique<ExtraEstimator>(known, options);
}
}  // namespace webstrata
