package io.sluice.why;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.agent.AgentVerticle;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.RequestAddress;
import io.sluice.gateway.GatewayVerticle;
import io.sluice.gateway.console.ConsoleProcess;
import io.sluice.gateway.console.ConsoleVerticle;
import io.sluice.lab.LabConfig;
import io.sluice.lab.LabVerticle;
import io.sluice.lab.core.LabNode;
import io.sluice.lab.faults.LabFaults;
import io.sluice.launcher.config.SluiceConfig;
import io.sluice.ledger.LedgerVerticle;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.monitor.MonitorVerticle;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.events.VmEventVerticle;
import io.sluice.neonvm.patch.VmPatchVerticle;
import io.sluice.neonvm.watch.ClusterVerticle;
import io.sluice.pressure.PressureVerticle;
import io.sluice.shell.Dumps;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.shell.config.ConfigReader;
import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.config.YamlText;
import io.sluice.units.Resources;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;

/** All verticles of one process beside a lab of its own, at the demo's pace; read through the console's listener. */
final class WhyStage implements AutoCloseable {
    private static final Path DEMO = Path.of("..", "..", "config", "demo.yaml");
    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(120);
    private static final Duration STEP_WITHIN = Duration.ofSeconds(60);
    private static final Duration QUICK = Duration.ofMillis(200);
    private static final Answer NONE = new Answer("", "", "", List.of());

    private final SluiceConfig config;
    private final Shell shell = new Shell(
            new MonotonicClock(),
            new SimpleMeterRegistry(),
            new SimpleMeterRegistry(),
            new Readiness(),
            new Dumps(),
            new Random(1));
    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, RunnerStatus> statuses = new ConcurrentHashMap<>();
    private final Deque<String> deployed = new ArrayDeque<>();
    private final LabVerticle lab;
    private final ConsoleVerticle console;
    private final GatewayVerticle gateway;
    private Optional<KubernetesClient> client = Optional.empty();

    /**
     * A process that is not started yet.
     *
     * @param changes keys that differ from the demo's config
     */
    WhyStage(Map<String, String> changes, LabNode... fleet) {
        var file = YamlText.read(DEMO);
        config = ConfigReader.read(
                SluiceConfig.class, SluiceConfig.DEFAULTS, new ConfigSources(file, Map.of(), changes).without("lab"));
        lab = new LabVerticle(labConfig(), shell, List.of(fleet));
        var process = new ConsoleProcess("", List.of("all"), Instant.now(), () -> "{}");
        gateway = new GatewayVerticle(config.gateway(), shell);
        console = new ConsoleVerticle(config.gateway().console().at(0), shell, process);
    }

    private static LabConfig labConfig() {
        var usual = LabConfig.DEFAULTS;
        return new LabConfig(
                usual.cluster(),
                usual.address(),
                usual.apiPort(),
                usual.day(),
                usual.seed(),
                usual.controllerDelayMin(),
                usual.controllerDelayMax(),
                usual.auditEvery(),
                new LabConfig.MigrationTimes(QUICK, QUICK, QUICK, QUICK));
    }

    LabFaults faults() {
        return lab.faults();
    }

    Vertx vertx() {
        return vertx;
    }

    /** Sends a request again until its reply is of this kind: one that comes too late is lost. */
    <Q, A> void awaitReply(RequestAddress<Q, A> address, Q request, Class<? extends A> kind) {
        await().atMost(ANSWERED_WITHIN)
                .pollInterval(QUICK)
                .ignoreException(CompletionException.class)
                .until(() -> kind.isInstance(done(bus.request(address, request))));
    }

    /** Starts everything, in the order of a process. */
    WhyStage start() {
        return start(new AgentVerticle(config.agent(), shell));
    }

    /**
     * The same with the gateway in place of the agents of Sluice: permits are {@linkplain #request(String, Resources)
     * requested} over HTTP.
     */
    WhyStage startWithoutAgents() {
        return start(gateway);
    }

    private WhyStage start(Deployable agents) {
        deploy(lab);
        var kubernetes = config.kubernetes().at(lab.apiUrl());
        client = Optional.of(KubernetesConnection.open(kubernetes, shell.meters()));
        done(bus.subscribe(
                AgentAddresses.STATUS, status -> statuses.put(status.vm().name(), status)));
        deploy(new LedgerVerticle(config.ledger(), shell));
        deploy(new PressureVerticle(config.pressure(), shell));
        deploy(new MonitorVerticle(config.monitor(), shell));
        deploy(console);
        deploy(new VmPatchVerticle(config.vm(), kubernetes, shell, client.orElseThrow()));
        deploy(new VmEventVerticle(config.vm(), kubernetes, shell, client.orElseThrow()));
        deploy(agents);
        deploy(new ClusterVerticle(config.cluster(), kubernetes, shell, client.orElseThrow()));
        return this;
    }

    /** Waits until a VM's runner reports a status that matches. */
    RunnerStatus status(String vm, Predicate<RunnerStatus> condition) {
        return await().atMost(ANSWERED_WITHIN)
                .until(() -> Optional.ofNullable(statuses.get(vm)).filter(condition), Optional::isPresent)
                .orElseThrow();
    }

    /**
     * Waits until the reply for a VM has a sentence of this form, a regular expression, and reasons that match: the
     * sentence's state and the reasons may arrive one after the other.
     */
    Answer vm(String name, String sentence, Predicate<Answer> reasons) {
        return why("vm", name, sentence, reasons);
    }

    /** The same for a node. */
    Answer node(String name, String sentence, Predicate<Answer> reasons) {
        return why("node", name, sentence, reasons);
    }

    private Answer why(String what, String name, String sentence, Predicate<Answer> reasons) {
        var last = new AtomicReference<>(NONE);
        try {
            await().atMost(ANSWERED_WITHIN).pollInterval(QUICK).until(() -> {
                last.set(request(what, name));
                return last.get().now().matches(sentence) && reasons.test(last.get());
            });
        } catch (ConditionTimeoutException never) {
            throw new AssertionError(
                    "why " + what + " " + name + " last had the sentence: " + last.get() + "\nexpected: " + sentence,
                    never);
        }
        return last.get();
    }

    private Answer request(String what, String name) {
        return read(URI.create(console.url()).resolve("/api/why/" + what + "/" + name))
                .map(Answer::of)
                .orElse(NONE);
    }

    /** Waits until the data of a VM's page matches. */
    JsonObject page(String vm, Predicate<JsonObject> condition) {
        var uri = URI.create(console.url()).resolve("/api/vms/default/" + vm);
        return await().atMost(ANSWERED_WITHIN)
                .pollInterval(QUICK)
                .until(() -> read(uri).map(page -> page.getJsonObject("vm")).filter(condition), Optional::isPresent)
                .orElseThrow();
    }

    /** Waits until a VM has an Event of this reason, with a message that matches; returns the message. */
    String event(String vm, String reason, Predicate<String> condition) {
        var uri = URI.create(lab.apiUrl() + "/api/v1/namespaces/default/events");
        return await().atMost(ANSWERED_WITHIN)
                .pollInterval(QUICK)
                .until(
                        () -> read(uri).stream()
                                .flatMap(list -> list.getJsonArray("items").stream())
                                .map(JsonObject.class::cast)
                                .filter(event -> event.getString("reason").equals(reason)
                                        && event.getJsonObject("involvedObject")
                                                .getString("name")
                                                .equals(vm))
                                .map(event -> event.getString("message"))
                                .filter(condition)
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Requests a permit as the reference's agent does, until it is granted or denied; returns what is permitted. */
    JsonObject request(String vm, Resources target) {
        var request = new JsonObject()
                .put("protoVersion", 7)
                .put("pod", new JsonObject().put("namespace", "default").put("name", vm + "-0"))
                .put("computeUnit", amounts(Vms.UNIT))
                .put("resources", amounts(target))
                .putNull("lastPermit")
                .putNull("metrics");
        var uri = URI.create("http://127.0.0.1:" + gateway.agentPort() + "/");
        var permit = await().atMost(ANSWERED_WITHIN)
                .pollInterval(QUICK)
                .until(
                        () -> send(HttpRequest.newBuilder(uri)
                                .timeout(STEP_WITHIN)
                                .POST(HttpRequest.BodyPublishers.ofString(request.encode()))
                                .build()),
                        answer -> answer.statusCode() == 200)
                .body();
        return new JsonObject(permit).getJsonObject("permit");
    }

    private static JsonObject amounts(Resources amounts) {
        return new JsonObject().put("vCPUs", amounts.milliCpu() + "m").put("mem", amounts.memoryBytes());
    }

    /** The value of an annotation of a VM; empty while there is none. */
    String annotation(String vm, String key) {
        var uri = URI.create(lab.apiUrl() + "/apis/vm.neon.tech/v1/namespaces/default/virtualmachines/" + vm);
        return read(uri)
                .map(object -> object.getJsonObject("metadata").getJsonObject("annotations"))
                .map(annotations -> annotations.getString(key))
                .orElse("");
    }

    /** Writes an annotation on a VM, as an operator would on the command line. */
    void annotate(String vm, String key, String value) {
        write(vm, "annotations", key, value);
    }

    /** Writes a label on a VM. */
    void label(String vm, String key, String value) {
        write(vm, "labels", key, value);
    }

    private void write(String vm, String where, String key, String value) {
        var change = new JsonObject().put("metadata", new JsonObject().put(where, new JsonObject().put(key, value)));
        var uri = URI.create(lab.apiUrl() + "/apis/vm.neon.tech/v1/namespaces/default/virtualmachines/" + vm);
        var request = HttpRequest.newBuilder(uri)
                .timeout(STEP_WITHIN)
                .header("Content-Type", "application/merge-patch+json")
                .method("PATCH", HttpRequest.BodyPublishers.ofString(change.encode()))
                .build();
        if (send(request).statusCode() != 200) {
            throw new AssertionError("the lab refused " + change);
        }
    }

    private Optional<JsonObject> read(URI uri) {
        var answer = send(HttpRequest.newBuilder(uri).timeout(STEP_WITHIN).build());
        return answer.statusCode() == 200 ? Optional.of(new JsonObject(answer.body())) : Optional.empty();
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private void deploy(Deployable verticle) {
        deployed.push(done(vertx.deployVerticle(verticle)));
    }

    /** The result of a future, within a bound. */
    private static <T> T done(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(STEP_WITHIN.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    @Override
    public void close() {
        deployed.forEach(id -> done(vertx.undeploy(id)));
        done(vertx.close());
        client.ifPresent(KubernetesClient::close);
        http.close();
    }
}
