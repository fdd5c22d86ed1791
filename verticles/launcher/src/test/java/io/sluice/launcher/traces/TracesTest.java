package io.sluice.launcher.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.shell.LoopbackPorts;
import io.sluice.shell.config.ConfigException;
import io.sluice.trace.CurrentSpan;
import io.sluice.trace.TraceSpan;
import io.sluice.trace.TraceSpan.Kind;
import io.sluice.trace.Tracer;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import java.io.File;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.MDC;

/** What the receiver's spans are made of is tested across processes; here are the switches, the bounds and the ids. */
@ExtendWith(VertxExtension.class)
class TracesTest {
    private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
    private static final Duration CLOSE_MAX = Duration.ofSeconds(20);

    /** The exporter tries again after some seconds, five times in all. */
    private static final Duration EXPORTED_MAX = Duration.ofSeconds(60);

    /** The tag of a span's kind in OTLP, which follows its name. */
    private static final char KIND = 6 << 3;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Traces traces = new Traces(Map.of());

    @AfterEach
    void close() {
        traces.close(CLOSE_MAX);
    }

    @ParameterizedTest
    @CsvSource({
        "OTEL_SERVICE_NAME, sluice",
        "OTEL_TRACES_EXPORTER, none",
        "OTEL_TRACES_SAMPLER, always_on",
        "OTEL_EXPORTER_OTLP_ENDPOINT, ''"
    })
    void isOffUnlessAnExporterOrAnEndpointIsNamed(String variable, String value) {
        assertThat(started(Map.of(variable, value))).isSameAs(Tracer.NONE);
        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void loadsNothingOfOpenTelemetryWhereItIsOff() throws Exception {
        var loaded = new ArrayList<String>();
        try (var classes = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                loaded.add(name);
                return super.findClass(name);
            }
        }) {
            var type = classes.loadClass(Traces.class.getName());
            var off = type.getConstructor(Map.class).newInstance(Map.of());
            var registry = type.getMethod("registry").invoke(off);
            var start = Arrays.stream(type.getMethods())
                    .filter(method -> method.getName().equals("start"))
                    .findFirst()
                    .orElseThrow();
            start.invoke(off, "1", registry);
            type.getMethod("close", Duration.class).invoke(off, Duration.ZERO);
        }
        assertThat(loaded).contains(Traces.class.getName()).noneMatch(name -> name.startsWith("io.opentelemetry."));
    }

    private static URL[] classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> {
                    try {
                        return Path.of(entry).toUri().toURL();
                    } catch (MalformedURLException impossible) {
                        throw new UncheckedIOException(impossible);
                    }
                })
                .toArray(URL[]::new);
    }

    @Test
    void canBeSwitchedOff() {
        assertThat(started(Map.of(ENDPOINT, "http://127.0.0.1:4318", "OTEL_SDK_DISABLED", "true")))
                .isSameAs(Tracer.NONE);
        assertThat(started(Map.of(ENDPOINT, "http://127.0.0.1:4318", "OTEL_TRACES_EXPORTER", "none")))
                .isSameAs(Tracer.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "OTEL_TRACES_EXPORTER, zipkin, OTEL_TRACES_EXPORTER: zipkin is not served; it must be none or otlp.",
        "OTEL_EXPORTER_OTLP_PROTOCOL, grpc, OTEL_EXPORTER_OTLP_PROTOCOL: grpc is not served; it must be http/protobuf.",
        "OTEL_TRACES_SAMPLER, coin, otel.traces.sampler",
        "OTEL_TRACES_SAMPLER_ARG, often, OTEL_TRACES_SAMPLER_ARG: often is no number from 0 to 1.",
        "OTEL_TRACES_SAMPLER_ARG, 1.5, OTEL_TRACES_SAMPLER_ARG: 1.5 is no number from 0 to 1.",
        "OTEL_EXPORTER_OTLP_ENDPOINT, nowhere, nowhere"
    })
    void refusesWhatItCannotServe(String variable, String value, String named) {
        var environment = new HashMap<>(Map.of(ENDPOINT, "http://127.0.0.1:4318"));
        environment.put("OTEL_TRACES_SAMPLER", "parentbased_traceidratio");
        environment.put(variable, value);
        assertThatThrownBy(() -> started(environment))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        refused -> assertThat(refused.errors())
                                .singleElement()
                                .asString()
                                .contains(named));
    }

    @Test
    void exportsToTheEndpointAndNamesTheService(Vertx vertx) {
        var bodies = new CopyOnWriteArrayList<String>();
        var server = receiver(
                vertx,
                request -> request.body().onSuccess(body -> {
                    bodies.add(request.path() + " " + request.getHeader("content-type") + " "
                            + body.toString("ISO-8859-1"));
                    request.response().end();
                }));
        var tracer = started(Map.of(
                ENDPOINT,
                url(server),
                "OTEL_RESOURCE_ATTRIBUTES",
                "deployment.environment=test",
                "OTEL_BSP_SCHEDULE_DELAY",
                "10"));

        var span =
                tracer.begin("vm.resize", Kind.PRODUCER, Duration.ofSeconds(3)).of("default/vm-a");
        span.child("permit", Kind.CLIENT).outcome("granted").end();
        span.end();
        await().atMost(EXPORTED_MAX).until(() -> spans("exported") == 2);

        assertThat(String.join(" ", bodies))
                .startsWith("/v1/traces application/x-protobuf ")
                .contains(
                        "vm.resize" + KIND + "\4",
                        "permit" + KIND + "\3",
                        "default/vm-a",
                        "granted",
                        "service.name",
                        "sluice")
                .contains("deployment.environment", "test", "service.instance.id", "service.version");
        assertThat(spans("failed")).isZero();
    }

    @Test
    void continuesTheTraceOfAValidHeaderAlone() {
        var tracer = started(Map.of(ENDPOINT, "http://127.0.0.1:1"));
        var trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        var sampled = tracer.continued("00-" + trace + "-00f067aa0ba902b7-01", "ledger.permit", Kind.SERVER);
        assertThat(sampled.traceId()).isEqualTo(trace);
        assertThat(sampled.header()).isEqualTo("00-" + trace + "-" + sampled.spanId() + "-01");
        assertThat(List.of(
                        "00-" + trace + "-00f067aa0ba902b7-00",
                        "00-" + "0".repeat(32) + "-00f067aa0ba902b7-01",
                        "00-" + trace + "-" + "0".repeat(16) + "-01",
                        "00-" + trace.toUpperCase(Locale.ROOT) + "-00f067aa0ba902b7-01",
                        "00-" + trace,
                        "x"))
                .allSatisfy(header -> assertThat(tracer.continued(header, "ledger.permit", Kind.SERVER))
                        .isSameAs(TraceSpan.NONE));
    }

    @ParameterizedTest
    @CsvSource({
        "always_off, 1, 0, 0",
        "parentbased_always_on, 0, 1000, 1000",
        "traceidratio, 0, 0, 0",
        "parentbased_traceidratio, 0, 0, 0",
        "parentbased_traceidratio, 1, 1000, 1000",
        "parentbased_traceidratio, 0.5, 300, 700"
    })
    void theSamplerChoosesWhatIsRecorded(String sampler, String argument, int least, int most) {
        var tracer = started(Map.of(
                ENDPOINT, "http://127.0.0.1:1", "OTEL_TRACES_SAMPLER", sampler, "OTEL_TRACES_SAMPLER_ARG", argument));
        assertThat(IntStream.range(0, 1_000)
                        .filter(number -> tracer.begin("vm.resize", Kind.INTERNAL, Duration.ZERO)
                                .isRecorded())
                        .count())
                .isBetween((long) least, (long) most);
    }

    @Test
    void whatAnotherProcessHasChosenIsRecordedWhateverTheShareHere() {
        var tracer = started(Map.of(
                ENDPOINT,
                "http://127.0.0.1:1",
                "OTEL_TRACES_SAMPLER",
                "parentbased_traceidratio",
                "OTEL_TRACES_SAMPLER_ARG",
                "0"));
        var sender = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        assertThat(tracer.continued(sender, "ledger.permit", Kind.SERVER).isRecorded())
                .isTrue();
    }

    @Test
    void anUnreachableReceiverCostsNothingButACount() throws Exception {
        var tracer =
                started(Map.of(ENDPOINT, "http://127.0.0.1:" + LoopbackPorts.next(), "OTEL_BSP_SCHEDULE_DELAY", "10"));
        tracer.begin("vm.resize", Kind.INTERNAL, Duration.ZERO).end();
        await().atMost(EXPORTED_MAX).until(() -> spans("failed") == 1);
        assertThat(spans("exported")).isZero();
    }

    /** The receiver does not reply while the queue of four fills, so all others are dropped. */
    @Test
    void dropsWhatDoesNotFitInTheQueue(Vertx vertx) {
        var held = new AtomicReference<HttpServerRequest>();
        var arrived = new CompletableFuture<Void>();
        var server = receiver(vertx, request -> {
            if (held.compareAndSet(null, request)) {
                arrived.complete(null);
            } else {
                request.response().end();
            }
        });
        var tracer = started(Map.of(
                ENDPOINT,
                url(server),
                "OTEL_BSP_MAX_QUEUE_SIZE",
                "4",
                "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
                "1",
                "OTEL_BSP_SCHEDULE_DELAY",
                "10"));
        tracer.begin("first", Kind.INTERNAL, Duration.ZERO).end();
        arrived.join();

        for (int i = 0; i < 100; i++) {
            tracer.begin("more", Kind.INTERNAL, Duration.ZERO).end();
        }

        assertThat(meters.get("sluice.traces.spans")
                        .tag("outcome", "queue_full")
                        .functionCounter())
                .extracting(FunctionCounter::count)
                .isEqualTo(96.0);
        held.get().response().end();
        await().atMost(EXPORTED_MAX).until(() -> spans("exported") == 5);
    }

    @Test
    void aHistogramHasTheTraceOfItsValueAsExemplarInOpenMetrics() {
        traces = new Traces(Map.of(ENDPOINT, "http://127.0.0.1:1"));
        var registry = traces.registry();
        var tracer = traces.start("1", meters);
        var timer = Timer.builder("stage")
                .serviceLevelObjectives(Duration.ofMillis(5))
                .register(registry);
        var span = tracer.begin("vm.resize", Kind.INTERNAL, Duration.ZERO);
        CurrentSpan.during(span, () -> timer.record(Duration.ofMillis(1)));

        assertThat(registry.scrape("application/openmetrics-text; version=1.0.0; charset=utf-8"))
                .containsPattern("stage_seconds_bucket\\{le=\"0.005\"} 1 # \\{span_id=\"" + span.spanId()
                        + "\",trace_id=\"" + span.traceId() + "\"} 0.001 ");
        assertThat(registry.scrape("application/openmetrics-text; version=1.0.0; charset=utf-8"))
                .containsPattern("stage_seconds_count 1\\.?0?\\n");
        assertThat(registry.scrape("text/plain; version=0.0.4; charset=utf-8")).doesNotContain(span.traceId());
    }

    @Test
    void logLinesOfAStepHaveTheIdsOfItsSpanAndNoOthers() {
        var tracer = started(Map.of(ENDPOINT, "http://127.0.0.1:1"));
        var outer = tracer.begin("outer", Kind.INTERNAL, Duration.ZERO);
        var inner = outer.child("inner", Kind.INTERNAL);
        CurrentSpan.during(outer, () -> {
            assertThat(MDC.get("trace_id")).isEqualTo(outer.traceId());
            CurrentSpan.during(inner, () -> assertThat(MDC.get("span_id")).isEqualTo(inner.spanId()));
            assertThat(MDC.get("span_id")).isEqualTo(outer.spanId());
            CurrentSpan.during(TraceSpan.NONE, () -> {
                assertThat(CurrentSpan.get()).isSameAs(TraceSpan.NONE);
                assertThat(MDC.get("trace_id")).isNull();
                assertThat(MDC.get("span_id")).isNull();
            });
            assertThat(MDC.get("trace_id")).isEqualTo(outer.traceId());
            assertThat(MDC.get("span_id")).isEqualTo(outer.spanId());
        });
        assertThat(MDC.get("trace_id")).isNull();
        assertThat(MDC.get("span_id")).isNull();
    }

    @Test
    void aRequestOnTheBusIsAStepOfItsSendersTraceAndAnEventIfThatIsNamed(Vertx vertx) throws Exception {
        var bus = new Bus(vertx);
        var spans = new ArrayBlockingQueue<TraceSpan>(10);
        bus.serve(LedgerAddresses.SNAPSHOT, request -> {
                    spans.add(CurrentSpan.get());
                    return Future.succeededFuture(new Snapshot(List.of()));
                })
                .await();
        bus.subscribe(ClusterAddresses.NODE_GONE, gone -> spans.add(CurrentSpan.get()))
                .await();
        bus.traceWith(started(Map.of(ENDPOINT, "http://127.0.0.1:1")));
        var span = bus.tracer().begin("outer", Kind.INTERNAL, Duration.ZERO);
        var request = new SnapshotRequest("n1");
        var event = new NodeGone("n1", 1);

        CurrentSpan.during(span, () -> bus.request(LedgerAddresses.SNAPSHOT, request))
                .await();
        assertThat(spans.take()).satisfies(inner -> assertThat(inner.traceId()).isEqualTo(span.traceId()));
        bus.request(LedgerAddresses.SNAPSHOT, request).await();
        assertThat(spans.take()).isSameAs(TraceSpan.NONE);
        CurrentSpan.during(span, () -> bus.publish(ClusterAddresses.NODE_GONE, event));
        assertThat(spans.take()).isSameAs(TraceSpan.NONE);
        bus.publish(ClusterAddresses.NODE_GONE, event, span);
        assertThat(spans.take()).satisfies(inner -> assertThat(inner.traceId()).isEqualTo(span.traceId()));
    }

    @Test
    void anEventWithAThrowingHandlerIsAFailedStep(Vertx vertx) {
        var bodies = new CopyOnWriteArrayList<String>();
        var server = receiver(
                vertx,
                request -> request.body().onSuccess(body -> {
                    bodies.add(body.toString("ISO-8859-1"));
                    request.response().end();
                }));
        var bus = new Bus(vertx);
        bus.subscribe(ClusterAddresses.NODE_GONE, gone -> {
                    throw new IllegalStateException("cannot bear it");
                })
                .await();
        bus.traceWith(started(Map.of(ENDPOINT, url(server), "OTEL_BSP_SCHEDULE_DELAY", "10")));
        var span = bus.tracer().begin("outer", Kind.PRODUCER, Duration.ZERO);

        bus.publish(ClusterAddresses.NODE_GONE, new NodeGone("n1", 1), span);

        await().atMost(EXPORTED_MAX).until(() -> spans("exported") == 1);
        assertThat(bodies)
                .singleElement()
                .asString()
                .contains(ClusterAddresses.NODE_GONE.name() + KIND + "\5", "cannot bear it");
    }

    private Tracer started(Map<String, String> environment) {
        traces = new Traces(environment);
        return traces.start("1", meters);
    }

    private double spans(String outcome) {
        return meters.get("sluice.traces.spans")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    private static HttpServer receiver(Vertx vertx, Handler<HttpServerRequest> handler) {
        return vertx.createHttpServer()
                .requestHandler(handler)
                .listen(0, "127.0.0.1")
                .await();
    }

    private static String url(HttpServer server) {
        return "http://127.0.0.1:" + server.actualPort();
    }
}
