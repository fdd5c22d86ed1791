package io.sluice.lab.kubernetes;

import static io.sluice.lab.kubernetes.Stage.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.MemberBooks;
import io.sluice.messages.ledger.MemberTraits;
import io.sluice.messages.ledger.NodeBooks;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.neonvm.VmConfig;
import io.sluice.neonvm.VmEventVerticle;
import io.sluice.neonvm.VmPatchVerticle;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is written down at VMs beside their sizes, against the lab's API. */
class VmNotesTest {
    private static final String EVENTS = "/api/v1/namespaces/default/events";
    private static final String APPROVED = "internal.autoscaling.neon.tech/resources-approved";
    private static final Resources NONE = Resources.NONE;
    private static final Resources SIZE = new Resources(1000, 4L << 30);
    private static final Resources MORE = new Resources(1500, 6L << 30);
    private static final Resources MOST = new Resources(2000, 8L << 30);
    private static final Resources UNIT = new Resources(250, 1L << 30);

    private Stage stage;
    private VmId vm;

    @BeforeEach
    void setStage() {
        stage = new Stage();
        var object = stage.runningVm("db", "null");
        vm = new VmId("neonvm", "default", "db", object.at("/metadata/uid").asText());
    }

    @AfterEach
    void clearStage() {
        stage.close();
    }

    @Test
    void writesDownWhatWasBookedAndAskedForAndByWhichUnit() {
        done(stage.bus.serve(
                LedgerAddresses.SNAPSHOT, asked -> Future.succeededFuture(new Snapshot(List.of(books())))));
        deploy(VmConfig.DEFAULTS);

        await().untilAsserted(() -> {
            booked(MORE, MOST);
            assertThat(annotation("autoscaling.neon.tech/scaling-unit"))
                    .isEqualTo("{\"vCPUs\":\"250m\",\"mem\":\"1Gi\"}");
        });
        assertThat(annotation(APPROVED)).isEqualTo("{\"vCPUs\":\"1500m\",\"mem\":\"6Gi\"}");
        assertThat(annotation("internal.autoscaling.neon.tech/resources-requested"))
                .isEqualTo("{\"vCPUs\":2,\"mem\":\"8Gi\"}");
        assertThat(counted("sluice.vm.approvals", "written")).isPositive();
        assertThat(stage.shell
                        .meters()
                        .get("sluice.vm.approvals.waiting")
                        .gauge()
                        .value())
                .isZero();
    }

    @Test
    void disturbsNoPatchThatMindsAFence() {
        deploy(VmConfig.DEFAULTS);
        var claimed = (ClaimReply.Claimed) done(stage.bus.request(VmAddresses.CLAIM, new ClaimVm(vm, "r1")));
        booked(MORE, MOST);
        await().until(() -> annotation(APPROVED).contains("1500m"));

        var reply = done(stage.bus.request(
                VmAddresses.PATCH,
                new PatchVm(vm, "db-0", MORE, new Revision(1, 1), claimed.fence(), "next/1", Duration.ofSeconds(5))));

        assertThat(reply).isInstanceOf(PatchReply.Patched.class);
        assertThat(annotation("internal.autoscaling.sluice.io/fence")).isEqualTo("next/1");
        assertThat(annotation(APPROVED)).contains("1500m");
    }

    @Test
    void triesAgainAfterAFailure() {
        deploy(VmConfig.DEFAULTS);
        stage.api.failNext(500, 1);
        booked(MORE, MOST);
        await().until(() -> failures() > 0);

        booked(MOST, MOST);

        await().atMost(Duration.ofSeconds(20)).until(() -> annotation(APPROVED).contains("8Gi"));
    }

    @Test
    void leavesAnotherVmOfThatNameAlone() {
        deploy(VmConfig.DEFAULTS);
        stage.raw.delete(Stage.VMS + "/db", "");
        stage.runningVm("db", "{}");

        booked(MORE, MOST);

        await().until(() -> stage.shell
                        .meters()
                        .find("sluice.vm.approvals")
                        .tag("outcome", "gone")
                        .counter()
                != null);
        assertThat(annotation(APPROVED)).isEmpty();
    }

    @Test
    void writesNothingWhereThatIsSwitchedOff() {
        deploy(new VmConfig(false, Duration.ofSeconds(1), false));
        var before = vmObject();
        booked(MORE, MOST);
        denied();
        // A patch that the same verticle answers: whatever it heard before was heard by then.
        done(stage.bus.request(VmAddresses.CLAIM, new ClaimVm(vm, "r1")));

        assertThat(annotation(APPROVED)).isEmpty();
        assertThat(before.at("/metadata/annotations").has(APPROVED)).isFalse();
        assertThat(stage.raw.get(EVENTS).body().path("items")).isEmpty();
        assertThat(stage.shell.meters().find("sluice.vm.approvals.waiting").gauge())
                .isNull();
    }

    @Test
    void leavesAnEventOnAVmThatWasDenied() {
        deploy(VmConfig.DEFAULTS);

        denied();

        await().until(() -> event("ScalingDenied").isPresent());
        var event = event("ScalingDenied").get();
        assertThat(event.path("type").asText()).isEqualTo("Warning");
        assertThat(event.path("message").asText())
                .isEqualTo("has 1/4Gi and asked for 2/8Gi: node-a has 0m of 8000m left");
        assertThat(event.at("/involvedObject/uid").asText()).isEqualTo(vm.uid());
        assertThat(event.path("count").asInt()).isEqualTo(1);
        await().until(() -> events("ScalingDenied", "written") == 1);
        assertThat(stage.shell
                        .meters()
                        .get("autoscaling.plugin.k8s.ops")
                        .tag("kind", "Event")
                        .tag("outcome", "success")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void leavesEventsOnAVmThatMovesOrWaitsForLong() {
        deploy(VmConfig.DEFAULTS);

        moving(PressureDecision.Kind.MOVING);
        moving(PressureDecision.Kind.NOT_MOVED);
        stage.bus.publish(AgentAddresses.STATUS, status(MORE, MOST, Waiting.VETO, Duration.ofSeconds(61)));
        stage.bus.publish(AgentAddresses.STATUS, status(MORE, MOST, Waiting.DRIVER, Duration.ofSeconds(61)));

        for (var reason : List.of("Migrating", "MigrationFailed", "DownscaleVetoed", "SizeNotApplied")) {
            await().until(() -> event(reason).isPresent());
        }
        assertThat(event("Migrating").get().path("type").asText()).isEqualTo("Normal");
    }

    @Test
    void dropsAnEventThatCannotBeWritten() {
        deploy(new VmConfig(false, Duration.ofSeconds(1), true));
        stage.api.failNext(403, 1);

        denied();
        await().until(() -> events("ScalingDenied", "failed") == 1);

        moving(PressureDecision.Kind.MOVED);
        await().until(() -> event("MigrationEnded").isPresent());
        assertThat(event("ScalingDenied")).isEmpty();
    }

    private void deploy(VmConfig config) {
        done(stage.vertx.deployVerticle(new VmPatchVerticle(config, stage.config, stage.shell, stage.client)));
        done(stage.vertx.deployVerticle(new VmEventVerticle(config, stage.config, stage.shell, stage.client)));
    }

    private void booked(Resources permit, Resources goal) {
        stage.bus.publish(AgentAddresses.STATUS, status(permit, goal, Waiting.NOTHING, Duration.ZERO));
    }

    private void denied() {
        stage.bus.publish(
                AgentAddresses.DECISION,
                new Decision(
                        Decision.Kind.DENIED,
                        vm,
                        "node-a",
                        SIZE,
                        MOST,
                        Optional.empty(),
                        GoalBasis.NONE,
                        "node-a has 0m of 8000m left"));
    }

    private void moving(PressureDecision.Kind kind) {
        stage.bus.publish(
                PressureAddresses.DECISION,
                new PressureDecision(kind, "node-a", Optional.of(vm), "node-b", Optional.empty(), "why"));
    }

    private RunnerStatus status(Resources permit, Resources goal, Waiting waiting, Duration since) {
        return new RunnerStatus(
                vm,
                "node-a",
                "pod-uid",
                SIZE,
                Optional.of(goal),
                Optional.of(permit),
                waiting,
                since,
                GoalBasis.NONE,
                "");
    }

    private static NodeBooks books() {
        var traits = new MemberTraits(SIZE, Overcommit.OFF, UNIT, Optional.empty(), 0, true, true, false, false, false);
        var member = new MemberBooks(
                "pod-uid", "default", "db-0", "db", SIZE, SIZE, NONE, NONE, MOST, false, false, 1, 1, traits);
        return new NodeBooks(
                "node-a", true, MOST, MOST, SIZE, SIZE, NONE, NONE, NONE, NONE, NONE, false, 0, List.of(member));
    }

    private JsonNode vmObject() {
        return stage.raw.get(Stage.VMS + "/db").body();
    }

    private String annotation(String key) {
        return vmObject().path("metadata").path("annotations").path(key).asText("");
    }

    private Optional<JsonNode> event(String reason) {
        return StreamSupport.stream(stage.raw.get(EVENTS).body().path("items").spliterator(), false)
                .filter(event -> event.path("reason").asText().equals(reason))
                .findFirst();
    }

    private double failures() {
        var counter = stage.shell
                .meters()
                .find("sluice.vm.approvals")
                .tag("outcome", "failed")
                .counter();
        return counter == null ? 0 : counter.count();
    }

    private double counted(String name, String outcome) {
        return stage.shell.meters().get(name).tag("outcome", outcome).counter().count();
    }

    private double events(String reason, String outcome) {
        var counter = stage.shell
                .meters()
                .find("sluice.vm.events")
                .tag("reason", reason)
                .tag("outcome", outcome)
                .counter();
        return counter == null ? 0 : counter.count();
    }
}
