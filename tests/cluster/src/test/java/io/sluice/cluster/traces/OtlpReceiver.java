package io.sluice.cluster.traces;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/** A receiver of traces over OTLP, as protobuf over HTTP: it keeps all spans. */
final class OtlpReceiver implements AutoCloseable {
    private final HttpServer server;
    private final List<Received> spans = new CopyOnWriteArrayList<>();

    /**
     * A span.
     *
     * @param process the process that recorded it
     * @param span itself
     */
    record Received(String process, Span span) {
        String trace() {
            return HexFormat.of().formatHex(span.getTraceId().toByteArray());
        }

        String id() {
            return HexFormat.of().formatHex(span.getSpanId().toByteArray());
        }

        String parent() {
            return HexFormat.of().formatHex(span.getParentSpanId().toByteArray());
        }

        String name() {
            return span.getName();
        }

        Map<String, Object> attributes() {
            return span.getAttributesList().stream()
                    .collect(Collectors.toMap(
                            KeyValue::getKey, entry -> switch (entry.getValue().getValueCase()) {
                                case STRING_VALUE -> entry.getValue().getStringValue();
                                case INT_VALUE -> entry.getValue().getIntValue();
                                default -> entry.getValue();
                            }));
        }
    }

    OtlpReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** All spans of one trace. */
    List<Received> trace(String id) {
        return spans.stream().filter(span -> span.trace().equals(id)).toList();
    }

    /** All spans with that name. */
    List<Received> named(String name) {
        return spans.stream().filter(span -> span.name().equals(name)).toList();
    }

    List<Received> spans() {
        return List.copyOf(spans);
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            var type = exchange.getRequestHeaders().getFirst("Content-Type");
            if (!exchange.getRequestMethod().equals("POST") || !"application/x-protobuf".equals(type)) {
                exchange.sendResponseHeaders(415, -1);
                return;
            }
            for (var ofResource :
                    ExportTraceServiceRequest.parseFrom(body(exchange)).getResourceSpansList()) {
                var process = attribute(ofResource.getResource(), "service.instance.id");
                for (var scope : ofResource.getScopeSpansList()) {
                    scope.getSpansList().forEach(span -> spans.add(new Received(process.orElse(""), span)));
                }
            }
            exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private static InputStream body(HttpExchange exchange) throws IOException {
        var body = exchange.getRequestBody();
        return "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"))
                ? new GZIPInputStream(body)
                : body;
    }

    private static Optional<String> attribute(Resource resource, String key) {
        return resource.getAttributesList().stream()
                .filter(entry -> entry.getKey().equals(key))
                .map(entry -> entry.getValue().getStringValue())
                .findFirst();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
