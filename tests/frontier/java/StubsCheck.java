// SPDX-License-Identifier: Apache-2.0

// What the public Java stubs of URL Frontier say about its messages and calls, and a service called through them.
//
//   java StubsCheck describe         every field and call, and one message of each kind in bytes and as JSON
//   java StubsCheck call HOST PORT   calls everything once and prints what came back
//
// tests/frontier/java_stubs_test.py compiles it and compares what it prints with our protocol file.

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import crawlercommons.urlfrontier.URLFrontierGrpc;
import crawlercommons.urlfrontier.Urlfrontier;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

public class StubsCheck {
  static void say(String... words) {
    System.out.println(String.join("\t", words));
  }

  // ---- what the stubs know ----------------------------------------------------------------------

  static void describe(Descriptor type) {
    for (FieldDescriptor field : type.getFields()) {
      String kind =
          switch (field.getType()) {
            case MESSAGE -> field.getMessageType().getFullName();
            case ENUM -> field.getEnumType().getFullName();
            default -> field.getType().name().toLowerCase();
          };
      String oneof = field.getRealContainingOneof() == null ? "" : field.getRealContainingOneof().getName();
      say("field", type.getFullName(), String.valueOf(field.getNumber()), field.getName(), kind,
          field.isRepeated() ? "repeated" : "one", oneof, field.toProto().getProto3Optional() ? "optional" : "");
    }
    type.getEnumTypes().forEach(
        all -> all.getValues().forEach(
            value -> say("value", all.getFullName(), String.valueOf(value.getNumber()), value.getName())));
    type.getNestedTypes().forEach(StubsCheck::describe);
  }

  static void describe(MethodDescriptor call) {
    say("call", call.getName(), call.getInputType().getName(), call.getOutputType().getName(),
        String.valueOf(call.isClientStreaming()), String.valueOf(call.isServerStreaming()));
  }

  // A value that differs from the default and from that of other fields.
  static Object filled(FieldDescriptor field, int salt) {
    return switch (field.getJavaType()) {
      case INT -> 1_000_000 + salt + field.getNumber();
      case LONG -> 5_000_000_000L + salt + field.getNumber();
      case BOOLEAN -> true;
      case STRING -> "ü" + field.getName() + salt;
      case ENUM -> last(field.getEnumType().getValues());
      case MESSAGE -> filled(field.getMessageType(), salt + 1, null);
      case FLOAT, DOUBLE, BYTE_STRING -> throw new IllegalStateException(field.getFullName());
    };
  }

  static EnumValueDescriptor last(List<EnumValueDescriptor> values) {
    return values.get(values.size() - 1);
  }

  // Every field has a value; of a oneof only `chosen`, or the first.
  static Message filled(Descriptor type, int salt, FieldDescriptor chosen) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    for (FieldDescriptor field : type.getFields()) {
      var oneof = field.getRealContainingOneof();
      if (oneof != null && field != (chosen != null ? chosen : oneof.getField(0))) continue;
      if (field.isRepeated()) {
        message.addRepeatedField(field, filled(field, salt));
        if (!field.isMapField()) message.addRepeatedField(field, filled(field, salt + 7));
      } else {
        message.setField(field, filled(field, salt));
      }
    }
    return message.build();
  }

  static void sample(Message message) throws Exception {
    String json = JsonFormat.printer().omittingInsignificantWhitespace().preservingProtoFieldNames().print(message);
    say("sample", message.getDescriptorForType().getName(), HexFormat.of().formatHex(message.toByteArray()), json);
  }

  static void samples(Descriptor type) throws Exception {
    List<FieldDescriptor> choices = new ArrayList<>();
    type.getRealOneofs().forEach(oneof -> choices.addAll(oneof.getFields()));
    if (choices.isEmpty()) sample(filled(type, 0, null));
    for (FieldDescriptor choice : choices) sample(filled(type, 0, choice));
  }

  static void describe() throws Exception {
    for (Descriptor type : Urlfrontier.getDescriptor().getMessageTypes()) {
      describe(type);
      samples(type);
    }
    Urlfrontier.getDescriptor().getServices().get(0).getMethods().forEach(StubsCheck::describe);
    say("service", Urlfrontier.getDescriptor().getServices().get(0).getFullName());
  }

  // ---- a service called through them --------------------------------------------------------------

  static Urlfrontier.URLInfo.Builder info(String url, String crawl) {
    return Urlfrontier.URLInfo.newBuilder().setUrl(url).setCrawlID(crawl).putMetadata(
        "from", Urlfrontier.StringList.newBuilder().addValues("java").addValues("ü").build());
  }

  static Urlfrontier.URLItem found(String url, String crawl) {
    return Urlfrontier.URLItem.newBuilder()
        .setDiscovered(Urlfrontier.DiscoveredURLItem.newBuilder().setInfo(info(url, crawl)))
        .setID("id of " + url)
        .build();
  }

  static Urlfrontier.URLItem fetched(String url, String crawl, long again) {
    return Urlfrontier.URLItem.newBuilder()
        .setKnown(Urlfrontier.KnownURLItem.newBuilder().setInfo(info(url, crawl)).setRefetchableFromDate(again))
        .build();
  }

  static List<String> put(URLFrontierGrpc.URLFrontierStub stub, Urlfrontier.URLItem... items) throws Exception {
    List<String> acks = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch done = new CountDownLatch(1);
    StreamObserver<Urlfrontier.URLItem> stream = stub.putURLs(new StreamObserver<>() {
      public void onNext(Urlfrontier.AckMessage ack) { acks.add(ack.getID() + " " + ack.getStatus()); }
      public void onError(Throwable error) { acks.add(error.toString()); done.countDown(); }
      public void onCompleted() { done.countDown(); }
    });
    for (Urlfrontier.URLItem item : items) stream.onNext(item);
    stream.onCompleted();
    if (!done.await(60, TimeUnit.SECONDS)) acks.add("no end");
    Collections.sort(acks);
    return acks;
  }

  static List<String> names(Iterator<Urlfrontier.URLInfo> found) {
    List<String> names = new ArrayList<>();
    found.forEachRemaining(
        one -> names.add(one.getUrl() + " " + one.getKey() + " " + one.getMetadataOrThrow("from").getValuesList()));
    return names;
  }

  static void call(String host, int port) throws Exception {
    ManagedChannel channel = ManagedChannelBuilder.forAddress(host, port).usePlaintext().build();
    var stub = URLFrontierGrpc.newBlockingStub(channel).withDeadlineAfter(120, TimeUnit.SECONDS);
    String crawl = "java";
    say("PutURLs", put(URLFrontierGrpc.newStub(channel), found("http://a.example/1", crawl), found("http://a.example/2", crawl),
        found("http://a.example/1", crawl), fetched("http://b.example/1", crawl, 0), fetched("http://b.example/2", crawl, 4_000_000_000L)).toString());
    var queue = Urlfrontier.QueueWithinCrawlParams.newBuilder().setKey("a.example").setCrawlID(crawl);
    say("SetDelay", stub.setDelay(Urlfrontier.QueueDelayParams.newBuilder().setKey("a.example").setCrawlID(crawl).setDelayRequestable(0).build()).toString());
    say("GetURLs", names(stub.getURLs(Urlfrontier.GetParams.newBuilder().setCrawlID(crawl).setMaxUrlsPerQueue(1).setDelayRequestable(60).build())).toString());
    var stats = stub.getStats(queue.build());
    say("GetStats", stats.getSize() + " " + stats.getInProcess() + " " + stats.getNumberOfQueues() + " " + stats.getCountsMap().get("active_queues"));
    say("ListNodes", String.valueOf(stub.listNodes(Urlfrontier.Empty.getDefaultInstance()).getValuesCount()));
    say("ListCrawls", String.valueOf(stub.listCrawls(Urlfrontier.Local.getDefaultInstance()).getValuesList().contains(crawl)));
    say("ListQueues", stub.listQueues(Urlfrontier.Pagination.newBuilder().setCrawlID(crawl).setIncludeInactive(true).build()).getValuesList().stream().sorted().toList().toString());
    say("BlockQueueUntil", stub.blockQueueUntil(Urlfrontier.BlockQueueParams.newBuilder().setKey("a.example").setCrawlID(crawl).setTime(4_000_000_000L).build()).toString());
    say("GetURLs blocked", names(stub.getURLs(Urlfrontier.GetParams.newBuilder().setCrawlID(crawl).build())).toString());
    say("SetCrawlLimit", stub.setCrawlLimit(Urlfrontier.CrawlLimitParams.newBuilder().setKey("a.example").setCrawlID(crawl).setLimit(5).build()).toString());
    say("SetActive", stub.setActive(Urlfrontier.Active.newBuilder().setState(false).build()).toString());
    say("GetActive", String.valueOf(stub.getActive(Urlfrontier.Local.getDefaultInstance()).getState()));
    stub.setActive(Urlfrontier.Active.newBuilder().setState(true).build());
    say("SetLogLevel", stub.setLogLevel(Urlfrontier.LogLevelParams.newBuilder().setPackage("webstrata").setLevel(Urlfrontier.LogLevelParams.Level.DEBUG).build()).toString());
    var status = stub.getURLStatus(Urlfrontier.URLStatusRequest.newBuilder().setUrl("http://b.example/2").setKey("b.example").setCrawlID(crawl).build());
    say("GetURLStatus", String.valueOf(status.getKnown().getRefetchableFromDate()));
    try {
      stub.getURLStatus(Urlfrontier.URLStatusRequest.newBuilder().setUrl("http://c.example/").setKey("c.example").setCrawlID(crawl).build());
      say("GetURLStatus unknown", "no error");
    } catch (StatusRuntimeException error) {
      say("GetURLStatus unknown", error.getStatus().getCode().toString());
    }
    List<String> listed = new ArrayList<>();
    stub.listURLs(Urlfrontier.ListUrlParams.newBuilder().setCrawlID(crawl).setSize(10).setFilter("EXAMPLE/2").setIgnoreCase(true).build())
        .forEachRemaining(item -> listed.add(item.getKnown().getInfo().getUrl()));
    say("ListURLs", listed.stream().sorted().toList().toString());
    say("CountURLs", String.valueOf(stub.countURLs(Urlfrontier.CountUrlParams.newBuilder().setCrawlID(crawl).setFilter("b.example").build()).getValue()));
    say("DeleteQueue", String.valueOf(stub.deleteQueue(queue.build()).getValue()));
    stub.deleteCrawl(Urlfrontier.DeleteCrawlMessage.newBuilder().setValue(crawl).build());
    say("DeleteCrawl", String.valueOf(stub.listCrawls(Urlfrontier.Local.getDefaultInstance()).getValuesList().contains(crawl)));
    channel.shutdownNow();
  }

  public static void main(String[] words) throws Exception {
    System.setOut(new java.io.PrintStream(System.out, true, "UTF-8"));
    if (words[0].equals("describe")) describe();
    else call(words[1], Integer.parseInt(words[2]));
  }
}
