package io.sluice.lab.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.neonvm.events.VmEventVerticle;
import io.sluice.neonvm.patch.VmConfig;
import io.sluice.neonvm.patch.VmPatchVerticle;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is written to VMs besides their sizes. */
public abstract class ScalingEventsContract extends DriverContract {
    private static final String APPROVED = "internal.autoscaling.neon.tech/resources-approved";
    private static final int MANY = 10;
    private static final int OTHERS = 10;
    private static final int ROUNDS = 3;
    private static final int WRITTEN_PER_ROUND = 3;
    private static final Duration LONG = Duration.ofSeconds(60);

    /** Longer than its own wait. */
    private static final Duration REQUESTED = Duration.ofSeconds(7);

    private static final Resources NONE = Resources.NONE;
    /** Longer than an amount waits for a patch, and its write for the pace. */
    private static final Duration DUE_WITHIN = Duration.ofSeconds(2);

    /** Nothing waits long for a patch. */
    static final VmConfig SOON = new VmConfig(true, Duration.ofSeconds(1), true, false);

    private static final Resources SIZE = new Resources(1000, 4L << 30);
    private static final Resources MORE = new Resources(1500, 6L << 30);
    private static final Resources MOST = new Resources(2000, 8L << 30);
    private static final Resources UNIT = new Resources(250, 1L << 30);

    @Test
    void recordsWhatWasReservedAndRequestedAndByWhichUnit() {
        deploy(SOON);

        reserved(MORE, MOST);

        await().until(() -> !annotation(APPROVED).isEmpty());
        assertThat(annotation("autoscaling.neon.tech/scaling-unit")).isEqualTo("{\"vCPUs\":\"250m\",\"mem\":\"1Gi\"}");
        assertThat(annotation(APPROVED)).isEqualTo("{\"vCPUs\":\"1500m\",\"mem\":\"6Gi\"}");
        assertThat(annotation("internal.autoscaling.neon.tech/resources-requested"))
                .isEqualTo("{\"vCPUs\":2,\"mem\":\"8Gi\"}");
        // A write can be read before its writer gets the answer.
        await().untilAsserted(() -> {
            assertThat(counted("sluice.vm.approvals", "written")).isPositive();
            assertThat(shell.meters().get("sluice.vm.approvals.waiting").gauge().value())
                    .isZero();
        });
    }

    @Test
    void disturbsNoPatchThatMindsAFence() {
        deploy(SOON);
        var claimed = (ClaimReply.Claimed) done(bus.request(VmAddresses.CLAIM, new ClaimVm(vm, "r1")));
        reserved(MORE, MOST);
        await().until(() -> annotation(APPROVED).contains("1500m"));

        var reply = done(bus.request(
                VmAddresses.PATCH, new PatchVm(vm, "db-0", MORE, new Revision(1, 1), claimed.fence(), "next/1", LONG)));

        assertThat(reply).isInstanceOf(PatchReply.Patched.class);
        assertThat(annotation("internal.autoscaling.sluice.io/fence")).isEqualTo("next/1");
        assertThat(annotation(APPROVED)).contains("1500m");
    }

    @Test
    void triesAgainAfterAFailure() {
        deploy(SOON);
        proxy.failNext(500, 1);
        reserved(MORE, MOST);
        await().until(() -> counted("sluice.vm.approvals", "failed") > 0);

        reserved(MOST, MOST);

        await().until(() -> annotation(APPROVED).contains("8Gi"));
    }

    @Test
    void writesToEachOfManyOnceASecondAtMostAndTheNewestInTheEnd() {
        deploy(SOON);
        var many = IntStream.range(0, MANY)
                .mapToObj(i -> id(RunningVm.make(raw, "vm-" + i, "null")))
                .toList();

        var began = shell.clock().instant();
        for (int round = 1; round <= ROUNDS; round++) {
            var permit = new Resources(250 * round, (long) round << 30);
            many.forEach(each ->
                    bus.publish(AgentAddresses.STATUS, status(each, permit, MOST, Waiting.NOTHING, Duration.ZERO)));
            // The next round begins while most writes of this one are still pending.
            var written = Math.min(MANY, round * WRITTEN_PER_ROUND);
            await().atMost(LONG).until(() -> counted("sluice.vm.approvals", "written") >= written);
        }
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(raw.get(VMS).body().path("items"))
                        .filteredOn(
                                object -> object.at("/metadata/name").asText().startsWith("vm-"))
                        .hasSize(MANY)
                        .allSatisfy(object -> assertThat(object.at("/metadata/annotations")
                                        .path(APPROVED)
                                        .asText())
                                .isEqualTo("{\"vCPUs\":\"750m\",\"mem\":\"3Gi\"}")));
        long seconds = Duration.between(began, shell.clock().instant()).toSeconds() + 1;

        var writes = proxy.records().stream()
                .filter(entry -> entry.contentType().startsWith(MERGE))
                .collect(Collectors.groupingBy(ApiServerProxy.Entry::path, Collectors.counting()));
        assertThat(writes).hasSize(MANY);
        assertThat(writes.values()).allMatch(count -> count <= seconds + 1 && count <= ROUNDS);
    }

    @Test
    void thePatchOfASizeCarriesThemInOneWrite() {
        deploy(SOON);
        var fence = claimed("r1");
        reserved(MORE, MORE);

        done(bus.request(VmAddresses.PATCH, new PatchVm(vm, "db-0", MORE, new Revision(1, 1), fence, "next/1", LONG)));

        assertThat(annotation(APPROVED)).isEqualTo("{\"vCPUs\":\"1500m\",\"mem\":\"6Gi\"}");
        assertThat(annotation("autoscaling.neon.tech/scaling-unit")).isEqualTo("{\"vCPUs\":\"250m\",\"mem\":\"1Gi\"}");
        await().untilAsserted(() -> assertThat(shell.meters()
                        .get("sluice.vm.approvals.waiting")
                        .gauge()
                        .value())
                .isZero());
        assertThat(proxy.records()).noneMatch(entry -> entry.patches("db", MERGE));
    }

    @Test
    void waitsWhileASizeIsPatched() {
        deploy(SOON);
        var fence = claimed("r1");
        var web = id(RunningVm.make(raw, "web", "null"));
        proxy.hold(entry -> entry.patches("db", JSON_PATCH));
        var patching = bus.request(
                VmAddresses.PATCH, new PatchVm(vm, "db-0", MORE, new Revision(1, 1), fence, "next/1", LONG));
        await().until(() ->
                proxy.records().stream().anyMatch(entry -> entry.body().contains("next/1")));

        reserved(MORE, MOST);
        bus.publish(AgentAddresses.STATUS, status(web, MORE, MOST, Waiting.NOTHING, Duration.ZERO));

        await().until(() ->
                shell.meters().get("sluice.vm.approvals.waiting").gauge().value() == 2);
        var due = shell.clock().instant().plus(DUE_WITHIN);
        await().until(() -> shell.clock().instant().isAfter(due));
        assertThat(proxy.records()).noneMatch(entry -> entry.contentType().startsWith(MERGE));

        proxy.release();
        assertThat(done(patching)).isInstanceOf(PatchReply.Patched.class);
        await().until(() -> annotationOf("web", APPROVED).contains("1500m"));
    }

    @Test
    void oneThatGetsNoAnswerKeepsNoOtherWaitingNorItsOwnSize() {
        deploy(SOON);
        var fence = claimed("r1");
        var others = IntStream.range(0, OTHERS)
                .mapToObj(i -> id(RunningVm.make(raw, "vm-" + i, "{\"internal.autoscaling.sluice.io/fence\":\"r/0\"}")))
                .toList();
        proxy.hold(entry -> entry.patches("db", MERGE));
        reserved(MORE, MOST);
        await().until(() -> proxy.records().stream().anyMatch(entry -> entry.patches("db", MERGE)));

        others.forEach(
                other -> bus.publish(AgentAddresses.STATUS, status(other, MORE, MOST, Waiting.NOTHING, Duration.ZERO)));
        var sizes = others.stream()
                .map(other -> bus.request(
                        VmAddresses.PATCH, new PatchVm(other, "", MORE, new Revision(1, 1), "r/0", "r/1", LONG)))
                .toList();
        var own = bus.request(
                VmAddresses.PATCH, new PatchVm(vm, "db-0", MORE, new Revision(1, 1), fence, "next/1", LONG));

        assertThat(sizes).allSatisfy(size -> assertThat(done(size)).isInstanceOf(PatchReply.Patched.class));
        assertThat(done(own)).isInstanceOf(PatchReply.Patched.class);
        proxy.release();
        await().until(() ->
                shell.meters().get("sluice.vm.approvals.waiting").gauge().value() == 0);
        assertThat(annotation(APPROVED)).contains("1500m");
    }

    @Test
    @DisplayName("F12: an annotation is written no sooner than a 429 allows")
    void comesBackNoSoonerThanTheServerAllows() {
        deploy(SOON);
        proxy.failNext(entry -> entry.patches("db", MERGE), 429, 1, Optional.of(REQUESTED));

        reserved(MORE, MOST);
        await().atMost(LONG).until(() -> annotation(APPROVED).contains("1500m"));

        var came = proxy.records().stream()
                .filter(entry -> entry.patches("db", MERGE))
                .map(ApiServerProxy.Entry::at)
                .toList();
        assertThat(came).hasSize(2);
        assertThat(came.getLast()).isAfterOrEqualTo(came.getFirst().plus(REQUESTED));
    }

    @Test
    void leavesAnotherVmOfThatNameAlone() {
        deploy(SOON);
        RunningVm.replace(raw, "db", "{}");

        reserved(MORE, MOST);

        await().until(() -> counted("sluice.vm.approvals", "gone") > 0);
        assertThat(annotation(APPROVED)).isEmpty();
    }

    @Test
    void writesNothingWhereThatIsSwitchedOff() {
        deploy(new VmConfig(false, Duration.ofSeconds(1), false, false));
        var before = read();
        reserved(MORE, MOST);
        denied();
        // The same verticle replies to this claim, so it has received all earlier messages by then.
        done(bus.request(VmAddresses.CLAIM, new ClaimVm(vm, "r1")));

        assertThat(annotation(APPROVED)).isEmpty();
        assertThat(before.at("/metadata/annotations").has(APPROVED)).isFalse();
        assertThat(raw.get(EVENTS).body().path("items")).isEmpty();
        assertThat(shell.meters().find("sluice.vm.approvals.waiting").gauge()).isNull();
    }

    @Test
    void leavesAnEventOnAVmThatWasDenied() {
        deploy(SOON);

        denied();

        await().until(() -> event("ScalingDenied").isPresent());
        var event = event("ScalingDenied").get();
        assertThat(event.path("type").asText()).isEqualTo("Warning");
        assertThat(event.path("message").asText())
                .isEqualTo("has 1/4Gi and requested 2/8Gi: node-a has 0m of 8000m left");
        assertThat(event.at("/involvedObject/uid").asText()).isEqualTo(vm.uid());
        assertThat(event.path("count").asInt()).isEqualTo(1);
        await().until(() -> events("ScalingDenied", "written") == 1);
        assertThat(shell.meters()
                        .get("autoscaling.plugin.k8s.ops")
                        .tag("kind", "Event")
                        .tag("outcome", "success")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void leavesEventsOnAVmThatMovesOrWaitsForLong() {
        deploy(SOON);

        moving(PressureDecision.Kind.MOVING);
        moving(PressureDecision.Kind.NOT_MOVED);
        bus.publish(AgentAddresses.STATUS, status(vm, MORE, MOST, Waiting.DENIED_DOWNSCALE, Duration.ofSeconds(61)));
        bus.publish(AgentAddresses.STATUS, status(vm, MORE, MOST, Waiting.DRIVER, Duration.ofSeconds(61)));

        for (var reason : List.of("Migrating", "MigrationFailed", "DownscaleDenied", "SizeNotApplied")) {
            await().until(() -> event(reason).isPresent());
        }
        assertThat(event("Migrating").get().path("type").asText()).isEqualTo("Normal");
    }

    @Test
    void dropsAnEventThatCannotBeWritten() {
        deploy(new VmConfig(false, Duration.ofSeconds(1), true, false));
        proxy.failNext(403, 1);

        denied();
        await().until(() -> events("ScalingDenied", "failed") == 1);

        moving(PressureDecision.Kind.MOVED);
        await().until(() -> event("MigrationEnded").isPresent());
        assertThat(event("ScalingDenied")).isEmpty();
    }

    private void deploy(VmConfig entries) {
        done(vertx.deployVerticle(new VmPatchVerticle(entries, config, shell, client)));
        done(vertx.deployVerticle(new VmEventVerticle(entries, config, shell, client)));
    }

    private void reserved(Resources permit, Resources goal) {
        bus.publish(AgentAddresses.STATUS, status(vm, permit, goal, Waiting.NOTHING, Duration.ZERO));
    }

    private void denied() {
        bus.publish(
                AgentAddresses.DECISION,
                new Decision(
                        Decision.Kind.DENIED,
                        vm,
                        "node-a",
                        SIZE,
                        MOST,
                        Optional.empty(),
                        GoalBasis.NONE,
                        "node-a has 0m of 8000m left",
                        1));
    }

    private void moving(PressureDecision.Kind kind) {
        bus.publish(
                PressureAddresses.DECISION,
                new PressureDecision(kind, "node-a", Optional.of(vm), "node-b", Optional.empty(), "why"));
    }

    private static RunnerStatus status(VmId of, Resources permit, Resources goal, Waiting waiting, Duration since) {
        return new RunnerStatus(
                of,
                "node-a",
                "pod-uid",
                SIZE,
                Optional.of(goal),
                Optional.of(permit),
                waiting,
                since,
                GoalBasis.NONE,
                "",
                Optional.of(UNIT));
    }

    private String annotation(String key) {
        return annotationOf("db", key);
    }

    private String annotationOf(String name, String key) {
        return raw.get(VMS + "/" + name)
                .body()
                .path("metadata")
                .path("annotations")
                .path(key)
                .asText("");
    }

    private Optional<JsonNode> event(String reason) {
        return StreamSupport.stream(raw.get(EVENTS).body().path("items").spliterator(), false)
                .filter(event -> event.path("reason").asText().equals(reason))
                .findFirst();
    }

    private double events(String reason, String outcome) {
        var counter = shell.meters()
                .find("sluice.vm.events")
                .tag("reason", reason)
                .tag("outcome", outcome)
                .counter();
        return counter == null ? 0 : counter.count();
    }
}
