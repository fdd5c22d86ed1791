package io.sluice.cluster.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cluster.roles.Console;
import io.sluice.cluster.roles.ObjectWatch;
import io.sluice.cluster.roles.OnlyWithFaults;
import io.sluice.cluster.roles.RoleCluster;
import io.sluice.cluster.roles.RoleProcess;
import io.sluice.cluster.roles.Split;
import io.sluice.lab.api.LabPaths;
import io.sluice.lab.core.LabNode;
import io.sluice.lab.faults.LabFaults;
import io.sluice.launcher.core.Role;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Goal: a gang of 16 starts whole or not at all, whichever process is killed while its room is held, and when a node
 * vanishes. Method: three ledgers, and two processes that place gangs, one at a time. The API server accepts no Binding
 * until the fault has happened, or only some.
 */
@OnlyWithFaults
@Isolated
class GangsUnderKillTest {
    private static final Duration READY = Duration.ofSeconds(240);
    private static final Duration WITHIN = Duration.ofSeconds(120);
    private static final int MEMBERS = 16;
    private static final int UNAVAILABLE = 503;
    private static final String SCHEDULER = "gangs";
    private static final String LEADS = "sluice_scheduler_leads 1.0";
    private static final Resources TOTAL = new Resources(8_000, 32L << 30);
    private static final Resources MEMBER = new Resources(2_000, 1L << 30);

    /** Four of them take the gang. */
    private static final List<String> NODES = List.of("node-p", "node-q", "node-r", "node-s", "node-t");

    private static final Set<Role> PLACES = Set.of(Role.PLACEMENT, Role.CLUSTER, Role.VM);
    private static final Split SPLIT = new Split(List.of(
            Set.of(Role.LEDGER), Set.of(Role.LEDGER), Set.of(Role.LEDGER), Set.of(Role.GATEWAY), PLACES, PLACES));

    private final HttpClient http = HttpClient.newHttpClient();
    private final PodAudit audit = new PodAudit(TOTAL);
    private RoleCluster cluster;
    private LabFaults faults;
    private String api;

    @Test
    @DisplayName("F1: a gang of 16 is bound whole or not at all, whatever is killed while its room is held")
    void startsWholeOrNotAtAll() throws Exception {
        var vertx = Vertx.vertx();
        try (var started = RoleCluster.onLoopback(
                "gangs", SPLIT, "placement: {schedulerName: " + SCHEDULER + ", gangs: {enabled: true}}\n")) {
            cluster = started;
            api = cluster.lab().api().url();
            var lab = cluster.lab().verticle(nodes());
            faults = lab.faults();
            done(vertx.deployVerticle(lab));
            cluster.start().awaitReady(READY);
            try (var watch = new ObjectWatch(api + LabPaths.PODS, audit::written)) {
                play();
                assertThat(watch.lost()).isEmpty();
            }
        } finally {
            done(vertx.close());
            http.close();
        }
        assertThat(audit.complaints()).isEmpty();
    }

    private void play() throws IOException, InterruptedException {
        killed("the process that places it", 0, this::leader);
        killed("the process that places it, after some binds", 5, this::leader);
        for (var ledger : cluster.all(Role.LEDGER)) {
            killed("the ledger " + ledger, 0, () -> ledger);
        }
        fitsInPart();
        nodeVanishes();
    }

    /** The process that places pods now. */
    private RoleProcess leader() {
        return cluster.all(Role.PLACEMENT).stream()
                .filter(process -> process.metrics().contains(LEADS))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no process places pods now"));
    }

    private interface Victim {
        RoleProcess choose();
    }

    /** A process is killed while room is held for all, and some are bound. */
    private void killed(String what, int bound, Victim victim) throws IOException, InterruptedException {
        var gang = create(what.replaceAll("[^a-z0-9]+", "-"), bound);
        cluster.within(WITHIN, () -> assertThat(reserved()).as(what).isEqualTo(MEMBER.times(MEMBERS)));
        cluster.within(WITHIN, () -> assertThat(bound(gang)).as(what).isEqualTo(bound));
        var process = victim.choose();
        process.kill();
        gang.forEach(faults::bindsSucceed);
        whole(what, gang);
        process.start();
        cluster.awaitReady(READY);
        end(gang);
    }

    /** Nothing is bound or held of a gang that does not fit, and all of it once there is room. */
    private void fitsInPart() throws IOException, InterruptedException {
        var first = create("first", 0);
        first.forEach(faults::bindsSucceed);
        whole("first", first);
        var second = create("second", 0);
        second.forEach(faults::bindsSucceed);
        cluster.within(
                WITHIN,
                () -> assertThat(console().get("/api/gangs").toString()).contains("GANG_NO_ROOM(4/" + MEMBERS + ")"));
        var process = leader();
        process.kill();
        cluster.within(WITHIN, this::leader);
        assertThat(bound(second)).isZero();
        assertThat(reserved()).isEqualTo(MEMBER.times(MEMBERS));
        process.start();
        cluster.awaitReady(READY);
        delete(first);
        whole("second", second);
        end(second);
    }

    private void nodeVanishes() throws IOException, InterruptedException {
        var gang = create("vanishing", 0);
        cluster.within(WITHIN, () -> assertThat(reserved()).isEqualTo(MEMBER.times(MEMBERS)));
        var vanished = NODES.getFirst();
        send("DELETE", LabPaths.NODES + "/" + vanished, "");
        cluster.within(
                WITHIN, () -> assertThat(amount("reserved", vanished::equals)).isEqualTo(Resources.NONE));
        gang.forEach(faults::bindsSucceed);
        whole("a node has vanished", gang);
        assertThat(audit.use(vanished)).isEqualTo(Resources.NONE);
        end(gang);
    }

    /** All members are bound, and what is reserved is theirs alone. */
    private void whole(String what, List<String> gang) {
        cluster.within(WITHIN, () -> assertThat(bound(gang)).as(what).isEqualTo(MEMBERS));
        cluster.within(WITHIN, () -> {
            assertThat(amount("held", node -> true)).as("held: %s", what).isEqualTo(Resources.NONE);
            assertThat(reserved()).as("reserved: %s", what).isEqualTo(MEMBER.times(MEMBERS));
        });
    }

    private void end(List<String> gang) throws IOException, InterruptedException {
        delete(gang);
        cluster.within(WITHIN, () -> assertThat(reserved()).isEqualTo(Resources.NONE));
    }

    private long bound(List<String> gang) {
        return gang.stream().filter(pod -> !audit.waits(pod)).count();
    }

    private Resources reserved() {
        return amount("reserved", node -> true);
    }

    private Resources amount(String of, Predicate<String> nodes) {
        return console()
                .get("/api/fleet")
                .path("nodes")
                .valueStream()
                .filter(node -> nodes.test(node.path("name").asText()))
                .map(node -> new Resources(
                        node.path(of).path(0).asLong(), node.path(of).path(1).asLong()))
                .reduce(Resources.NONE, Resources::plus);
    }

    private Console console() {
        return cluster.with(Role.GATEWAY).console();
    }

    /** @param accepted of how many members Bindings are accepted */
    private List<String> create(String gang, int accepted) throws IOException, InterruptedException {
        var pods = IntStream.range(0, MEMBERS).mapToObj(i -> gang + "-" + i).toList();
        pods.subList(accepted, MEMBERS).forEach(pod -> faults.bindsFail(pod, UNAVAILABLE));
        for (var pod : pods) {
            audit.created(pod, MEMBER);
            send("POST", LabPaths.PODS, """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"default","annotations":{
                   "gang.scheduling.koordinator.sh/name":"%s","gang.scheduling.koordinator.sh/min-available":"%d"}},
                 "spec":{"schedulerName":"%s","containers":[{"name":"main","image":"example/main:1",
                   "resources":{"requests":{"cpu":"%dm","memory":"%d"}}}]}}\
                """.formatted(
                            pod, gang, MEMBERS, SCHEDULER, MEMBER.milliCpu(), MEMBER.memoryBytes()));
        }
        return pods;
    }

    private void delete(List<String> pods) throws IOException, InterruptedException {
        for (var pod : pods) {
            audit.ends(pod);
            send("DELETE", LabPaths.pod(pod) + "?gracePeriodSeconds=0", "");
        }
    }

    private void send(String method, String path, String body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(api + path))
                .timeout(WITHIN)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build();
        var reply = http.send(request, BodyHandlers.ofString());
        assertThat(reply.statusCode())
                .as(() -> new JsonObject(reply.body()).encode())
                .isLessThan(300);
    }

    private static List<LabNode> nodes() {
        return NODES.stream()
                .map(name -> new LabNode(name, TOTAL, List.of(), Resources.NONE))
                .toList();
    }

    private static <T> T done(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
