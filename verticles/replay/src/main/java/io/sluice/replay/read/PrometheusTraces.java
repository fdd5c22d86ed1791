package io.sluice.replay.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.units.ResourceKind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads series from a Prometheus by its HTTP API, a day at a time; it only reads. */
public final class PrometheusTraces {
    private static final int PERIOD_SECONDS = 300;
    private static final int REPLY_BYTES_MAX = 64 << 20;
    private static final int MESSAGE_MAX = 300;
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration REPLY = Duration.ofSeconds(60);
    private static final double MILLI = 1_000;
    private static final double MEBIBYTE = 1 << 20;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final PrometheusSource source;
    private final Duration deadline;
    private final long begin;
    private final int samples;
    private final List<String> leftOut = new ArrayList<>();

    public PrometheusTraces(PrometheusSource source) {
        this(source, REPLY);
    }

    /** @param deadline of each reply, to its last byte */
    PrometheusTraces(PrometheusSource source, Duration deadline) {
        this.source = source;
        this.deadline = deadline;
        this.samples = (int) (source.last().toSeconds() / PERIOD_SECONDS);
        this.begin = Math.floorDiv(source.end().getEpochSecond(), PERIOD_SECONDS) * PERIOD_SECONDS
                - (long) (samples - 1) * PERIOD_SECONDS;
    }

    /** The VMs without a size, which cannot be replayed. */
    public List<String> leftOut() {
        return List.copyOf(leftOut);
    }

    /** The series of every VM whose size is known. */
    public List<TraceSeries> read() throws IOException, InterruptedException, PrometheusException {
        var all = new ArrayList<TraceSeries>();
        try (var client = HttpClient.newBuilder().connectTimeout(CONNECT).build()) {
            for (var query : source.exporter().queries()) {
                all.addAll(read(client, query));
            }
        }
        return sinceTheFirst(all);
    }

    /** Without the time before anything was recorded: a policy must not take sizes from it. */
    private List<TraceSeries> sinceTheFirst(List<TraceSeries> all) {
        int first = IntStream.range(0, samples)
                .filter(at -> all.stream().anyMatch(series -> !Double.isNaN(series.samples()[at])))
                .findFirst()
                .orElse(0);
        return all.stream().map(series -> series.cut(first, samples)).toList();
    }

    private List<TraceSeries> read(HttpClient client, PrometheusExporter.Query query)
            throws IOException, InterruptedException, PrometheusException {
        double scale = query.kind() == ResourceKind.CPU ? MILLI : 1 / MEBIBYTE;
        var sizes = sizes(client, query);
        var uses = new TreeMap<String, double[]>();
        int perDay = TraceSeries.DAY_SECONDS / PERIOD_SECONDS;
        for (int from = 0; from < samples; from += perDay) {
            addDay(client, query, from, Math.min(from + perDay, samples), uses);
        }
        var all = new ArrayList<TraceSeries>();
        int start = Instant.ofEpochSecond(begin)
                .atZone(ZoneOffset.UTC)
                .toLocalTime()
                .toSecondOfDay();
        uses.forEach((vm, use) -> {
            double size = sizes.getOrDefault(vm, 0.0) * scale;
            if (size > 0) {
                var scaled = Arrays.stream(use).map(value -> value * scale).toArray();
                all.add(new TraceSeries(vm, query.kind(), size, PERIOD_SECONDS, start, scaled));
            } else {
                leftOut.add(vm + ": no size for " + query.kind());
            }
        });
        return all;
    }

    /** The largest size that each VM had at a full hour; of a younger one its present size. */
    private Map<String, Double> sizes(HttpClient client, PrometheusExporter.Query query)
            throws IOException, InterruptedException, PrometheusException {
        var largest = "max_over_time((%1$s)[%2$ds:1h]) or (%1$s)"
                .formatted(query.size(), source.last().toSeconds());
        var result = get(client, "query", Map.of("query", largest, "time", Long.toString(end())));
        var sizes = new TreeMap<String, Double>();
        for (var one : result) {
            sizes.put(name(one, query), number(one.path("value").path(1)));
        }
        return sizes;
    }

    private long end() {
        return begin + (long) (samples - 1) * PERIOD_SECONDS;
    }

    private void addDay(HttpClient client, PrometheusExporter.Query query, int from, int to, Map<String, double[]> uses)
            throws IOException, InterruptedException, PrometheusException {
        var result = get(
                client,
                "query_range",
                Map.of(
                        "query", query.use(),
                        "start", Long.toString(begin + (long) from * PERIOD_SECONDS),
                        "end", Long.toString(begin + (to - 1L) * PERIOD_SECONDS),
                        "step", PERIOD_SECONDS + "s"));
        for (var one : result) {
            var use = uses.computeIfAbsent(name(one, query), vm -> missing());
            for (var value : one.path("values")) {
                long index = (value.path(0).asLong() - begin) / PERIOD_SECONDS;
                if (index >= from && index < to) {
                    use[(int) index] = number(value.path(1));
                }
            }
        }
    }

    private double[] missing() {
        var none = new double[samples];
        Arrays.fill(none, Double.NaN);
        return none;
    }

    private static String name(JsonNode one, PrometheusExporter.Query query) {
        return query.labels().stream()
                .map(label -> one.path("metric").path(label).asText())
                .collect(Collectors.joining("/"));
    }

    /** A value that is no finite number counts as missing. */
    private static double number(JsonNode text) throws PrometheusException {
        try {
            double value = Double.parseDouble(text.asText());
            return Double.isFinite(value) && value >= 0 ? value : Double.NaN;
        } catch (NumberFormatException wrong) {
            throw new PrometheusException("the Prometheus sent a value that is no number: " + shortened(text.asText()));
        }
    }

    private JsonNode get(HttpClient client, String what, Map<String, String> parameters)
            throws IOException, InterruptedException, PrometheusException {
        var query = new TreeMap<>(parameters)
                .entrySet().stream()
                        .map(entry ->
                                entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&"));
        var base = source.url().toString().replaceFirst("/+$", "");
        var request = HttpRequest.newBuilder(URI.create(base + "/api/v1/" + what + "?" + query));
        if (source.token().isPresent()) {
            request.header(
                    "Authorization",
                    "Bearer " + Files.readString(source.token().get()).strip());
        }
        var response = whole(client, request.build());
        return result(response.statusCode(), response.body());
    }

    /** A request's own timeout ends with the headers of the reply; this one is of all of it. */
    private HttpResponse<byte[]> whole(HttpClient client, HttpRequest request)
            throws IOException, InterruptedException, PrometheusException {
        var reply = client.sendAsync(
                request, HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofByteArray(), REPLY_BYTES_MAX));
        try {
            return reply.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new PrometheusException("the Prometheus at " + source.url() + " has sent no whole reply within "
                    + deadline.toSeconds() + " s");
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof ConnectException none) {
                throw none;
            }
            if (failed.getCause() instanceof HttpTimeoutException none) {
                throw none;
            }
            throw new PrometheusException("a reply of the Prometheus at " + source.url()
                    + " is cut off, or larger than " + (REPLY_BYTES_MAX >> 20) + " MiB: "
                    + shortened(String.valueOf(failed.getCause().getMessage())));
        } finally {
            reply.cancel(true);
        }
    }

    private JsonNode result(int status, byte[] body) throws PrometheusException {
        JsonNode reply;
        try {
            reply = MAPPER.readTree(body);
        } catch (IOException noJson) {
            throw new PrometheusException("the reply at " + source.url() + " is no Prometheus' (HTTP " + status + ")");
        }
        if (!"success".equals(reply.path("status").asText())) {
            throw new PrometheusException("the Prometheus at " + source.url() + " refused a query (HTTP " + status
                    + "): " + shortened(reply.path("error").asText()));
        }
        return reply.path("data").path("result");
    }

    private static String shortened(String text) {
        return text.length() <= MESSAGE_MAX ? text : text.substring(0, MESSAGE_MAX) + "…";
    }
}
