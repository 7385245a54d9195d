#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every call of URL Frontier, and every fact that its API promises, asked of a running service through stubs of our protocol file.

Facts come from the comments of the public API and from what its reference service is tested for. Each has a crawl of its own, so most
run at the same time; those about the whole service run one after the other at the end. WEBSTRATA_FRONTIER=host:port asks another
service instead of `webstrata frontier`; facts that only ours promises are left out then.
"""

import concurrent.futures
import os
import sys
import tempfile
import time
import traceback

import grpc
from google.protobuf import json_format

from calling import OK, SKIPPED, Elsewhere, Service, discovered, info, known, pb
from running import expect

NOW = time.time


def same(found, wanted, what):
    expect(found == wanted, f"{what}: {found!r} instead of {wanted!r}")


def site(name, count, host=None):
    return [f"http://{host or name + '.example'}/{i}" for i in range(count)]


def put_all(calls, urls, key=""):
    same({status for _, status in calls.put(*(discovered(url, key, calls.crawl) for url in urls))}, {OK}, "acknowledgements")


def fails_with(codes, action, what):
    try:
        action()
    except grpc.RpcError as error:
        expect(error.code() in codes, f"{what}: {error.code()} instead of {codes}")
        return
    raise AssertionError(f"{what}: no error")


# ---- putting ----------------------------------------------------------------------------------------------------------------------


def fact_acknowledgements_carry_the_id_or_the_url(calls):
    acks = calls.put(discovered("http://a.example/1", crawl=calls.crawl, name="first"), discovered("http://a.example/2", crawl=calls.crawl),
                     known("http://a.example/3", NOW() + 60, crawl=calls.crawl, name="third"),
                     known("http://a.example/4", 0, crawl=calls.crawl))
    same(sorted(acks), [("first", OK), ("http://a.example/2", OK), ("http://a.example/4", OK), ("third", OK)], "acknowledgements")


def fact_what_is_discovered_twice_is_skipped_and_changes_nothing(calls):
    url = "http://a.example/"
    same(calls.put(discovered(url, crawl=calls.crawl, metadata={"v": ["1"]})), [(url, OK)], "first")
    same(calls.put(discovered(url, crawl=calls.crawl, metadata={"v": ["2"]})), [(url, SKIPPED)], "second")
    same([dict(one.metadata)["v"].values[:] for one in calls.get()], [["1"]], "metadata")
    same(calls.count(), 1, "URLs")


def fact_the_same_url_twice_in_one_stream_is_one_url(calls):
    url = "http://a.example/"
    acks = calls.put(*(discovered(url, crawl=calls.crawl) for _ in range(5)))
    same(sorted(status for _, status in acks), [OK] + [SKIPPED] * 4, "acknowledgements")
    same(calls.count(), 1, "URLs")


def fact_a_known_url_need_not_have_been_discovered(calls):
    same(calls.put(known("http://a.example/", NOW() - 10, crawl=calls.crawl)), [("http://a.example/", OK)], "acknowledgement")
    same(calls.get_names(), ["http://a.example/"], "handed out")


def fact_without_a_date_a_known_url_is_done_for_ever(calls):
    url = "http://a.example/"
    put_all(calls, [url])
    same(calls.put(known(url, 0, crawl=calls.crawl)), [(url, OK)], "acknowledgement")
    same(calls.get_within(2.5), [], "handed out")
    same(calls.put(discovered(url, crawl=calls.crawl)), [(url, SKIPPED)], "discovered again")
    same(calls.get_within(1.5), [], "handed out after it was discovered again")
    stats = calls.stats()
    same((stats.size, stats.counts["completed"]), (0, 1), "size and completed")


def fact_a_url_that_is_done_can_be_scheduled_again_by_a_report(calls):
    url = "http://a.example/"
    calls.put(known(url, 0, crawl=calls.crawl))
    calls.put(known(url, NOW() - 5, crawl=calls.crawl))
    same(calls.get_within(3), [url], "handed out")


def fact_a_known_url_is_not_handed_out_before_its_date(calls):
    url, later = "http://a.example/", int(NOW()) + 3
    calls.put(known(url, later, crawl=calls.crawl))
    while NOW() < later:
        found = calls.get_names(lease=60)
        expect(not found or NOW() >= later, "handed out before its date")
        if found:
            return
        time.sleep(0.1)
    same(calls.get_within(4), [url], "handed out after its date")


def fact_a_report_ends_the_lease_and_replaces_the_metadata(calls):
    url = "http://a.example/"
    calls.put(discovered(url, crawl=calls.crawl, metadata={"a": ["1"], "b": ["x"]}))
    same(calls.get_names(), [url], "handed out")
    same(calls.stats().inProcess, 1, "in process")
    calls.put(known(url, NOW() - 1, crawl=calls.crawl, metadata={"a": ["2", "3"]}))
    same(calls.stats().inProcess, 0, "in process after the report")
    calls.delay(0, "a.example")
    end = NOW() + 4
    again = []
    while not again and NOW() < end:
        again = calls.get()
    same([{name: list(values.values) for name, values in one.metadata.items()} for one in again], [{"a": ["2", "3"]}], "metadata")


def fact_an_empty_key_is_the_host_of_the_url(calls):
    calls.put(discovered("http://www.a.example:8080/x?y#z", crawl=calls.crawl), discovered("https://b.example", crawl=calls.crawl),
              discovered("http://c.example?q=1", crawl=calls.crawl), discovered("http://d.example/", "my key", calls.crawl))
    same(sorted(one.key for one in calls.get()), ["b.example", "c.example", "my key", "www.a.example"], "keys")
    same(sorted(calls.queues(include_inactive=True).values), ["b.example", "c.example", "my key", "www.a.example"], "queues")


def fact_items_without_a_queue_are_skipped(calls):
    acks = calls.put(discovered("", crawl=calls.crawl, name="no url"), discovered("/only/a/path", crawl=calls.crawl, name="no host"),
                     discovered("http://a.example/", "k" * 256, calls.crawl, name="long key"), pb.URLItem(ID="neither"),
                     discovered("http://b.example/", "k" * 255, calls.crawl, name="good"))
    same(sorted(acks), [("good", OK), ("long key", SKIPPED), ("neither", SKIPPED), ("no host", SKIPPED), ("no url", SKIPPED)], "statuses")
    same(calls.count(), 1, "URLs")


def fact_every_item_of_a_long_stream_is_acknowledged_once(calls):
    urls = [f"http://h{i % 50}.example/{i}" for i in range(3000)]
    acks = calls.put(*(discovered(url, crawl=calls.crawl, name=str(i)) for i, url in enumerate(urls)))
    same(sorted(int(name) for name, _ in acks), list(range(3000)), "acknowledged")
    same({status for _, status in acks}, {OK}, "statuses")
    same((calls.count(), calls.stats().numberOfQueues), (3000, 50), "URLs and queues")


def fact_batches_have_a_status_for_each_url_in_their_order(calls):
    crawl = calls.crawl
    acks = calls.put_batches(("one", [info("http://a.example/1", crawl=crawl), info("", crawl=crawl), info("http://a.example/1", crawl=crawl),
                                      info("http://b.example/1", crawl=crawl)]),
                             ("empty", []), ("two", [info("http://b.example/1", crawl=crawl), info("http://b.example/2", crawl=crawl)]))
    same(sorted(acks), [("empty", []), ("one", [OK, SKIPPED, SKIPPED, OK]), ("two", [SKIPPED, OK])], "acknowledgements")
    same(sorted(calls.get_names()), ["http://a.example/1", "http://b.example/1", "http://b.example/2"], "handed out")


# ---- getting ----------------------------------------------------------------------------------------------------------------------


def fact_zero_means_no_limit_and_limits_are_kept(calls):
    for host in ("a", "b", "c"):
        put_all(calls, site(host, 4))
    same(len(calls.get(urls=1, queues=2, lease=1)), 2, "one of each of two queues")
    time.sleep(2.5)  # leases and delays end
    found = calls.get(urls=3, lease=1)
    same(sorted(one.key for one in found), ["a.example"] * 3 + ["b.example"] * 3 + ["c.example"] * 3, "three of each queue")
    time.sleep(2.5)
    same(len(calls.get()), 12, "all")


def fact_what_is_handed_out_is_what_was_put(calls):
    metadata = {"status": ["200"], "empty": [], "many": ["a", "", "ü"]}
    calls.put(discovered("http://a.example/ü?q=%20", "k", calls.crawl, metadata))
    [one] = calls.get()
    same((one.url, one.key, one.crawlID), ("http://a.example/ü?q=%20", "k", calls.crawl), "URL, key, crawl")
    same({name: list(values.values) for name, values in one.metadata.items()}, metadata, "metadata")


def fact_a_url_is_leased_for_the_seconds_that_the_client_names(calls):
    put_all(calls, ["http://a.example/"])
    calls.delay(0, "a.example")
    taken = NOW()
    same(len(calls.get(lease=3)), 1, "the first time")
    same(calls.get_within(2.0 - (NOW() - taken), lease=60), [], "while it is leased")
    same(calls.get_within(5, lease=60), ["http://a.example/"], "after the lease")
    expect(NOW() - taken >= 2, "too early")


def fact_the_default_lease_is_thirty_seconds(calls):
    put_all(calls, ["http://a.example/"])
    calls.delay(0, "a.example")
    taken = NOW()
    same(len(calls.get()), 1, "the first time")
    while NOW() - taken < 28.5:
        same(calls.get(), [], f"after {NOW() - taken:.1f} s")
        time.sleep(0.7)
    same(calls.get_within(6), ["http://a.example/"], "after the lease")


def fact_a_queue_with_its_fill_in_process_waits(calls):
    put_all(calls, site("a", 3))
    calls.delay(0, "a.example")
    same(len(calls.get(urls=2)), 2, "the first two")
    same(calls.get_within(2.2, urls=2), [], "while two are in process")
    same(len(calls.get_within(3, urls=3)), 1, "the third")


def fact_a_queue_can_be_named_within_its_crawl(calls):
    put_all(calls, site("a", 2))
    put_all(calls, site("b", 2))
    same(sorted(calls.get_names(key="b.example")), site("b", 2), "of that queue")
    same(calls.get_names(key="no such queue"), [], "of a queue that does not exist")
    same(calls.get_names(key="a.example", crawl="no such crawl " + calls.crawl), [], "of another crawl")
    same(sorted(calls.get_names(key="a.example")), site("a", 2), "of the other queue")


def fact_crawls_are_apart(calls):
    other = calls.crawl + " other"
    url = "http://a.example/"
    same(calls.put(discovered(url, crawl=calls.crawl), discovered(url, crawl=other)), [(url, OK)] * 2, "one URL in two crawls")
    same(calls.get_names(), [url], "of the first")
    same([one.crawlID for one in calls.get(crawl=other)], [other], "of the second")
    calls.put(known(url, 0, crawl=calls.crawl))
    same((calls.stats().counts["completed"], calls.stats(crawl=other).counts["completed"]), (1, 0), "completed")
    expect({calls.crawl, other} <= set(calls.call("ListCrawls", pb.Local(local=True)).values), "ListCrawls")
    same(calls.call("DeleteCrawl", pb.DeleteCrawlMessage(value=calls.crawl, local=True)).value in (0, 1), True, "URLs deleted")
    same((calls.count(), calls.stats(crawl=other).size), (0, 1), "URLs left")
    expect(calls.crawl not in calls.call("ListCrawls", pb.Local()).values, "a crawl that was deleted is listed")



# ---- queues -----------------------------------------------------------------------------------------------------------------------


def fact_a_delay_counts_from_the_last_time_that_urls_were_handed_out(calls):
    put_all(calls, site("a", 5))
    calls.delay(3, "a.example")
    asked = NOW()
    same(len(calls.get(urls=1, lease=1)), 1, "the first time")
    while NOW() - asked < 2.4:
        same(calls.get_names(urls=5), [], f"{NOW() - asked:.1f} s later")
        time.sleep(0.1)
    expect(len(calls.get_within(4, urls=5)) > 0, "nothing after the delay")
    expect(NOW() - asked >= 2.9, f"after {NOW() - asked:.2f} s")


def fact_a_blocked_queue_gives_nothing_until_the_time_that_was_named(calls):
    put_all(calls, site("a", 2))
    calls.delay(0, "a.example")
    until = int(NOW()) + 4
    calls.block(until, "a.example")
    while NOW() < until - 0.2:
        same((calls.get_names(), calls.get_names(key="a.example")), ([], []), "while it is blocked")
        time.sleep(0.1)
    same(len(calls.get_within(5, urls=1, lease=60)), 1, "after the block")
    expect(NOW() >= until, "too early")


def fact_zero_ends_a_block(calls):
    put_all(calls, site("a", 1))
    calls.block(NOW() + 3600, "a.example")
    same(calls.get_names(), [], "while it is blocked")
    same(list(calls.queues().values), [], "active queues")
    calls.block(0, "a.example")
    same(calls.get_within(3), site("a", 1), "after the block")


def fact_a_crawl_limit_ends_a_queue_after_that_many_urls_are_done(calls):
    put_all(calls, site("a", 4))
    calls.delay(0, "a.example")
    calls.limit(2, "a.example")
    for url in site("a", 2):
        calls.put(known(url, 0, crawl=calls.crawl))
    same(calls.get_within(2.2), [], "after two are done")
    calls.limit(0, "a.example")
    same(sorted(calls.get_within(3, 2)), site("a", 4)[2:], "without a limit")


def fact_a_crawl_limit_of_an_unknown_queue_is_an_error(calls):
    put_all(calls, site("a", 1))
    fails_with({grpc.StatusCode.NOT_FOUND, grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.UNKNOWN}, lambda: calls.limit(1, "no such"),
               "limit of an unknown queue")


def fact_delays_and_blocks_of_unknown_queues_are_no_error(calls):
    calls.delay(5, "no such queue")
    calls.block(NOW() + 60, "no such queue")


def fact_queues_are_listed_a_hundred_at_a_time_without_the_inactive_ones(calls):
    put_all(calls, [f"http://q{i:03}.example/" for i in range(130)])
    for i in range(10):
        calls.put(known(f"http://q{i:03}.example/", 0, crawl=calls.crawl))
    first = calls.queues()
    same((len(first.values), first.size, first.start, first.crawlID), (100, 100, 0, calls.crawl), "the first page")
    seen, start = [], 0
    while page := list(calls.queues(start=start, size=17).values):
        expect(len(page) <= 17, "a page is too long")
        seen += page
        start += len(page)
    same(sorted(seen), [f"q{i:03}.example" for i in range(10, 130)], "active queues, page by page")
    same(len(calls.queues(size=1000, include_inactive=True).values), 130, "all queues")


def fact_statistics_count_what_is_waiting_in_process_and_done(calls):
    put_all(calls, site("a", 4))
    put_all(calls, site("b", 2))
    calls.put(known("http://b.example/0", 0, crawl=calls.crawl), known("http://b.example/1", 0, crawl=calls.crawl))
    same(len(calls.get(urls=3)), 3, "handed out")
    all_queues, one_queue = calls.stats(), calls.stats("b.example")
    same((all_queues.size, all_queues.inProcess, all_queues.numberOfQueues, all_queues.crawlID), (4, 3, 2, calls.crawl), "of the crawl")
    same((all_queues.counts["completed"], all_queues.counts["active_queues"]), (2, 1), "counts of the crawl")
    same((one_queue.size, one_queue.inProcess, one_queue.numberOfQueues), (0, 0, 1), "of a queue")
    same((one_queue.counts["completed"], one_queue.counts["active_queues"]), (2, 0), "counts of a queue")
    same(calls.stats("no such queue").numberOfQueues, 0, "of an unknown queue")


def fact_a_deleted_queue_is_gone_with_its_urls(calls):
    put_all(calls, site("a", 3))
    put_all(calls, site("b", 2))
    same(calls.call("DeleteQueue", pb.QueueWithinCrawlParams(key="a.example", crawlID=calls.crawl)).value, 3, "URLs deleted")
    same((calls.count(), list(calls.queues().values)), (2, ["b.example"]), "what is left")
    same(sorted(calls.get_names()), site("b", 2), "handed out")
    same(calls.put(discovered("http://a.example/0", crawl=calls.crawl)), [("http://a.example/0", OK)], "discovered again")


# ---- single URLs ------------------------------------------------------------------------------------------------------------------


def fact_the_status_of_a_url_says_when_it_may_be_fetched(calls):
    later = int(NOW()) + 3600
    calls.put(discovered("http://a.example/new", "k", calls.crawl, {"m": ["1"]}), known("http://a.example/done", 0, "k", calls.crawl),
              known("http://a.example/later", later, "k", calls.crawl))
    new, done, again = (calls.status(f"http://a.example/{name}", "k") for name in ("new", "done", "later"))
    same((done.known.refetchable_from_date, again.known.refetchable_from_date), (0, later), "dates")
    expect(new.HasField("known") and 0 < new.known.refetchable_from_date <= NOW() + 2, f"a new URL: {new}")
    same(list(new.known.info.metadata["m"].values), ["1"], "metadata")
    same((new.known.info.key, new.known.info.crawlID), ("k", calls.crawl), "key and crawl")
    same([calls.status("http://a.example/new", "other key"), calls.status("http://a.example/unknown", "k")], [None, None], "unknown URLs")


def fact_the_service_sets_the_creation_date_and_keeps_it(calls):
    url, before = "http://a.example/", int(NOW())
    item = discovered(url, crawl=calls.crawl)
    item.creation_date = 12345
    calls.put(item)
    created = calls.status(url, "a.example").creation_date
    expect(before - 1 <= created <= NOW() + 1, f"creation date {created}")
    time.sleep(1.1)
    calls.put(known(url, NOW() + 60, crawl=calls.crawl))
    same(calls.status(url, "a.example").creation_date, created, "after a report")
    calls.put(known(url, 0, crawl=calls.crawl))
    same(calls.status(url, "a.example").creation_date, created, "after it was done")


def fact_urls_are_listed_in_pages_with_a_filter(calls):
    put_all(calls, [f"http://a.example/page{i}" for i in range(120)] + ["http://a.example/Page", "http://b.example/page"])
    calls.put(known("http://a.example/page0", 0, crawl=calls.crawl))
    same(len(calls.urls()), 100, "without a size")
    same(len(calls.urls(size=1000)), 122, "all, those that are done too")
    seen, start = [], 0
    while page := [one.known.info.url for one in calls.urls(start=start, size=50, key="a.example")]:
        seen += page
        start += len(page)
    same((len(seen), len(set(seen))), (121, 121), "page by page, of a queue")
    same([one.known.info.url for one in calls.urls(size=1000, filter="/Page")], ["http://a.example/Page"], "with a filter")
    same(len(calls.urls(size=1000, filter="/PAGE", ignoreCase=True)), 122, "in any case")
    same(calls.urls(size=1000, filter="nothing like it"), [], "with a filter that nothing matches")


def fact_urls_are_counted_with_a_filter(calls):
    put_all(calls, site("a", 30) + ["http://b.example/Page"])
    calls.put(known("http://a.example/0", 0, crawl=calls.crawl))
    same((calls.count(), calls.count(key="a.example"), calls.count(key="c.example")), (31, 30, 0), "of the crawl, of queues")
    same((calls.count(filter="/2"), calls.count(filter="page"), calls.count(filter="page", ignoreCase=True)), (11, 0, 1), "with a filter")
    same(calls.count(key="b.example", filter="/2", local=True), 0, "of a queue with a filter")


def fact_a_purge_leaves_what_is_younger(calls):
    put_all(calls, site("a", 3))
    same(calls.call("PurgeURLs", pb.PurgeUrlParams(crawlID=calls.crawl, days=1)).value, 0, "URLs purged")
    same(calls.count(), 3, "URLs")


def fact_what_is_listed_can_be_put_as_json_lines(calls):
    copy = calls.crawl + " copy"
    later = int(NOW()) + 3600
    calls.put(discovered("http://a.example/new", crawl=calls.crawl, metadata={"m": ["1", "2"]}), known("http://a.example/done", 0, crawl=calls.crawl),
              known("http://b.example/later", later, "k", calls.crawl))
    lines = [json_format.MessageToJson(item, indent=None) for item in calls.urls(size=100)]
    items = [json_format.Parse(line, pb.URLItem()) for line in lines]
    for item in items:
        item.known.info.crawlID = copy
    same({status for _, status in calls.put(*items)}, {OK}, "acknowledgements")

    def view(crawl):
        found = calls.call("ListURLs", pb.ListUrlParams(crawlID=crawl, size=100))
        return sorted((one.known.info.url, one.known.info.key, one.known.refetchable_from_date,
                       sorted((name, tuple(values.values)) for name, values in one.known.info.metadata.items())) for one in found)

    same(view(copy), view(calls.crawl), "the copy")


# ---- the service as a whole; one after the other ------------------------------------------------------------------------------------


def whole_nodes(calls):
    nodes = calls.call("ListNodes", pb.Empty()).values
    expect(len(nodes) == 1 and ":" in nodes[0], f"ListNodes: {nodes}")


def whole_log_levels_are_taken(calls):
    for level in pb.LogLevelParams.Level.values():
        calls.call("SetLogLevel", pb.LogLevelParams(package="webstrata", level=level))


def whole_the_empty_crawl_is_the_default_one(calls):
    calls.put(discovered("http://default.example/"))
    expect("DEFAULT" in calls.call("ListCrawls", pb.Local()).values, "the name of the default crawl")
    same([calls.call("CountURLs", pb.CountUrlParams(crawlID=name, key="default.example")).value for name in ("", "DEFAULT")], [1, 1], "URLs")
    same([one.crawlID for one in calls.get(key="default.example", crawl="DEFAULT")], ["DEFAULT"], "crawl of what is handed out")
    same(calls.stats(crawl="").crawlID, "DEFAULT", "crawl of the statistics")
    calls.call("DeleteCrawl", pb.DeleteCrawlMessage(value="DEFAULT"))


def whole_any_crawl_gives_urls_of_all(calls):
    names = [f"{calls.crawl} {i}" for i in range(3)]
    for name in names:
        calls.put(discovered("http://any.example/", f"key of {name}", name))
    found, end = set(), NOW() + 5
    while not set(names) <= found and NOW() < end:
        found |= {one.crawlID for one in calls.get(any_crawl=True, lease=1)}
    expect(set(names) <= found, f"any crawl: {found}")
    for name in names:
        calls.call("DeleteCrawl", pb.DeleteCrawlMessage(value=name))


def whole_an_inactive_service_takes_but_does_not_give(calls):
    put_all(calls, site("a", 1))
    same(calls.call("GetActive", pb.Local()).state, True, "active at first")
    calls.call("SetActive", pb.Active(state=False))
    try:
        same(calls.call("GetActive", pb.Local(local=True)).state, False, "GetActive")
        same((calls.get_names(), calls.get_names(key="a.example")), ([], []), "handed out")
        put_all(calls, site("b", 1))
    finally:
        calls.call("SetActive", pb.Active(state=True))
    same(sorted(calls.get_within(3, 2)), site("a", 1) + site("b", 1), "when it is active again")


def whole_a_delay_without_a_key_is_that_of_all_queues(calls):
    put_all(calls, site("a", 3))
    put_all(calls, site("b", 3))
    calls.delay(0, "b.example")
    calls.delay(3)
    try:
        asked = NOW()
        same(len(calls.get(urls=1)), 2, "the first time")
        found = calls.get_within(2.3, 100, urls=10)
        same(sorted(found), site("b", 3)[1:] if site("b", 3)[0] not in found else site("b", 3)[:-1], "before the delay")
        same(len([url for url in calls.get_within(4, 2, urls=10) if "a.example" in url]), 2, "after the delay")
        expect(NOW() - asked >= 2.9, "too early")
    finally:
        calls.delay(1)


def ours_first_in_first_out_without_scores(calls):
    urls = site("a", 40)[::-1]
    put_all(calls, urls)
    same(calls.get_names(urls=25, lease=600), urls[:25], "order")
    calls.delay(0, "a.example")
    same(calls.get_within(2, 15, urls=100), urls[25:], "the rest")


def run_fact(service, name, number):
    with service.calls(f"c{number}-{os.getpid()}") as calls:
        globals()[name](calls)
        calls.call("DeleteCrawl", pb.DeleteCrawlMessage(value=calls.crawl))


def failures_of(service, names, together):
    """Names of facts that do not hold, with what was found."""
    failed = []
    with concurrent.futures.ThreadPoolExecutor(len(names) if together else 1) as pool:
        running = {pool.submit(run_fact, service, name, number): name for number, name in enumerate(names)}
        for done in concurrent.futures.as_completed(running):
            name = running[done]
            words = name.replace("_", " ").split(" ", 1)[1]
            if error := done.exception():
                failed.append(words)
                print(f"NOT SO  {words}: {''.join(traceback.format_exception_only(error)).strip()}", flush=True)
            else:
                print(f"ok  {words}", flush=True)
    return failed


def main():
    elsewhere = "WEBSTRATA_FRONTIER" in os.environ
    with tempfile.TemporaryDirectory() as folder, Elsewhere() if elsewhere else Service(folder) as service:
        names = [name for name in globals() if not sys.argv[1:] or name in sys.argv[1:]]
        failed = failures_of(service, [name for name in names if name.startswith("fact_")] or ["whole_nodes"], True)
        alone = ("whole_",) if elsewhere else ("whole_", "ours_")
        failed += failures_of(service, [name for name in names if name.startswith(alone)] or ["whole_nodes"], False)
    expect(not failed, f"{len(failed)} facts do not hold: {failed}")


main()
