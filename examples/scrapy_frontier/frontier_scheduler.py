# SPDX-License-Identifier: Apache-2.0
"""A scheduler for Scrapy that takes its requests from a URL Frontier service, so that several crawlers share one plan.

    SCHEDULER = "frontier_scheduler.FrontierScheduler"
    FRONTIER_ADDRESS = "127.0.0.1:7071"

Requests of a spider go to the service as discovered URLs, and what it hands out becomes requests. The spider reports what became of them
(`self.frontier.report`), as crawl.py does. It needs grpcio, and the modules that `python -m grpc_tools.protoc` makes from urlfrontier.proto.
"""

import time

import grpc
import urlfrontier_pb2 as pb
import urlfrontier_pb2_grpc as stubs
from scrapy import Request

LEASE_SECONDS = 300


class Frontier:
    """The service, as one crawl uses it."""

    def __init__(self, address, crawl=""):
        self.crawl = crawl
        self.stub = stubs.URLFrontierStub(grpc.insecure_channel(address))

    def discover(self, urls):
        items = (pb.URLItem(discovered=pb.DiscoveredURLItem(info=pb.URLInfo(url=url, crawlID=self.crawl))) for url in urls)
        return sum(ack.status == pb.AckMessage.OK for ack in self.stub.PutURLs(items))

    def report(self, url, status, again_after=None):
        """The URL was fetched; without a time in seconds it is done."""
        info = pb.URLInfo(url=url, crawlID=self.crawl, metadata={"status": pb.StringList(values=[str(status)])})
        again = int(time.time() + again_after) if again_after else 0
        list(self.stub.PutURLs(iter([pb.URLItem(known=pb.KnownURLItem(info=info, refetchable_from_date=again))])))

    def take(self, queues, per_queue):
        params = pb.GetParams(max_queues=queues, max_urls_per_queue=per_queue, delay_requestable=LEASE_SECONDS, crawlID=self.crawl or "DEFAULT")
        return [info.url for info in self.stub.GetURLs(params)]

    def unfinished(self):
        return self.stub.GetStats(pb.QueueWithinCrawlParams(crawlID=self.crawl)).size


class FrontierScheduler:
    def __init__(self, crawler):
        settings = crawler.settings
        self.crawler = crawler
        self.frontier = Frontier(settings["FRONTIER_ADDRESS"], settings.get("FRONTIER_CRAWL", ""))
        self.queues = settings.getint("FRONTIER_QUEUES", 8)
        self.per_queue = settings.getint("FRONTIER_URLS_PER_QUEUE", 1)
        self.taken = []
        self.found = []

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def open(self, spider):
        self.spider = spider
        spider.frontier = self.frontier

    def close(self, reason):
        self.hand_over()

    def enqueue_request(self, request):
        self.found.append(request.url)
        return True

    def hand_over(self):
        if self.found:
            self.frontier.discover(dict.fromkeys(self.found))
            self.found = []

    def next_request(self):
        self.hand_over()
        if not self.taken:
            self.taken = self.frontier.take(self.queues, self.per_queue)[::-1]
        if self.taken:
            return Request(self.taken.pop(), callback=self.spider.parse, errback=self.spider.failed, dont_filter=True,
                           meta={"handle_httpstatus_all": True})
        return None

    def has_pending_requests(self):
        return bool(self.taken or self.found) or self.frontier.unfinished() > 0

