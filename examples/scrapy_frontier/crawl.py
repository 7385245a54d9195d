# SPDX-License-Identifier: Apache-2.0
"""A small crawler on Scrapy that shares its plan with others through a URL Frontier service.

    python crawl.py 127.0.0.1:7071 --proxy http://127.0.0.1:8932 --log requests.tsv

Fetches what the service hands out, hands over the links that it finds on the same hosts, and ends when nothing is left. The log has a
line for each request: time, status, URL.
"""

import argparse
import sys
import time
from urllib.parse import urldefrag, urlsplit

from scrapy import Spider
from scrapy.core.engine import ExecutionEngine
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor


class SharedSpider(Spider):
    name = "shared"

    def __init__(self, log, proxy=None, follow=True, limit=0, **words):
        super().__init__(**words)
        self.log, self.proxy, self.follow, self.limit = open(log, "a", buffering=1), proxy, follow, limit
        self.requests = 0
        self.extractor = LinkExtractor(unique=True, canonicalize=False)

    async def start(self):  # what there is to do, the service knows
        for nothing in ():
            yield nothing

    def note(self, url, status):
        self.log.write(f"{time.time():.6f}\t{status}\t{url}\n")
        self.frontier.report(url, status)
        self.requests += 1
        if self.limit and self.requests >= self.limit:
            self.crawler.engine.close_spider(self, "limit")

    def parse(self, response):
        url = response.request.url
        self.note(url, response.status)
        if self.follow and response.status == 200 and isinstance(response, HtmlResponse):
            for link in self.extractor.extract_links(response):
                if urlsplit(link.url).hostname == urlsplit(url).hostname:
                    yield response.follow(urldefrag(link.url).url, dont_filter=True)

    def failed(self, failure):
        self.note(failure.request.url, 0)


def settings_of(options):
    return {
        "SCHEDULER": "frontier_scheduler.FrontierScheduler", "FRONTIER_ADDRESS": options.frontier, "FRONTIER_CRAWL": options.crawl,
        "ROBOTSTXT_OBEY": not options.proxy,  # a replay of recorded pages needs no permission
        "REDIRECT_ENABLED": False, "METAREFRESH_ENABLED": False, "RETRY_ENABLED": False, "COOKIES_ENABLED": False, "TELNETCONSOLE_ENABLED": False,
        "CONCURRENT_REQUESTS": options.concurrent, "CONCURRENT_REQUESTS_PER_DOMAIN": options.concurrent,
        "DOWNLOAD_DELAY": options.delay, "LOG_LEVEL": "ERROR", "USER_AGENT": options.agent,
        "DOWNLOADER_MIDDLEWARES": {"crawl.ThroughProxy": 90} if options.proxy else {},
    }


class ThroughProxy:
    def __init__(self, crawler):
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def process_request(self, request, spider=None):
        request.meta["proxy"] = self.crawler.spider.proxy


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("frontier", help="address of the service")
    parser.add_argument("--crawl", default="", help="its crawl ID")
    parser.add_argument("--proxy", help="send all requests there: the address that `webstrata replay` prints")
    parser.add_argument("--log", default="requests.tsv")
    parser.add_argument("--concurrent", type=int, default=4, help="requests at a time")
    parser.add_argument("--delay", type=float, default=0, help="seconds between two requests to a host")
    parser.add_argument("--limit", type=int, default=0, help="requests at most")
    parser.add_argument("--no-links", action="store_true", help="hand over no links")
    parser.add_argument("--agent", default="scrapy-frontier-example")
    options = parser.parse_args()
    sys.modules["crawl"] = sys.modules[__name__]
    ExecutionEngine._SLOT_HEARTBEAT_INTERVAL = 0.2  # how often a crawler without work asks for some; Scrapy has no setting for it
    process = CrawlerProcess(settings_of(options))
    process.crawl(SharedSpider, log=options.log, proxy=options.proxy, follow=not options.no_links, limit=options.limit)
    process.start()


if __name__ == "__main__":
    main()
