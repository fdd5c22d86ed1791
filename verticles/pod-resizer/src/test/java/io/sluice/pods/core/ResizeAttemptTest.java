package io.sluice.pods.core;

import static io.sluice.pods.core.Pods.MI;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.pods.core.ResizeAttempt.Step;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Goal: no resize may take effect after its permit, unless that counts. Method: tables of pods and times. */
class ResizeAttemptTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LAPSED = NOW.plusSeconds(5);
    private static final VmId VM = new VmId("pod", "ns", "p", "u");
    private static final ObjectNode SMALL = Pods.running("200m/128Mi", "", "Burstable");
    private static final ObjectNode LARGE = Pods.resized(SMALL, "800m/128Mi");

    private final ResizeAttempt attempt = new ResizeAttempt(
            new PatchVm(
                    VM, "", new Resources(800, 128 * MI), new Revision(1, 1), "r+1/0", "r+1/1", Duration.ofSeconds(5)),
            LAPSED);

    @Test
    void writesTheFenceFirstAndResizesThen() {
        assertThat(attempt.begin(Pods.scaled(SMALL), NOW)).isEqualTo(new Step.Advance());
        var advanced = SMALL.deepCopy();
        advanced.withObject("/metadata/annotations").put("internal.autoscaling.sluice.io/fence", "r+1/1");
        assertThat(attempt.begin(Pods.scaled(advanced), NOW)).isEqualTo(new Step.Resize());
        assertThat(attempt.begin(Pods.scaled(LARGE), NOW)).isEqualTo(new Step.Await(LAPSED));
    }

    static Stream<Arguments> beginnings() {
        var claimed = SMALL.deepCopy();
        claimed.withObject("/metadata/annotations").put("internal.autoscaling.sluice.io/fence", "other+5/0");
        var anew = SMALL.deepCopy();
        anew.withObject("/metadata").put("uid", "v");
        var ending = SMALL.deepCopy();
        ending.withObject("/metadata").put("deletionTimestamp", "2026-01-01T00:00:00Z");
        return Stream.of(
                Arguments.of(
                        "another fence",
                        claimed,
                        NOW,
                        new PatchReply.Conflict(new Resources(200, 128 * MI), "other+5/0")),
                Arguments.of("another pod", anew, NOW, refused(404, "the pod of that name has another uid now")),
                Arguments.of("too late", SMALL, LAPSED.plusMillis(3), refused(0, "its deadline had passed 3 ms ago")),
                Arguments.of("being deleted", ending, NOW, refused(0, "the pod does not run")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("beginnings")
    void sendsNothingIf(String name, ObjectNode pod, Instant now, PatchReply reply) {
        assertThat(attempt.begin(Pods.scaled(pod), now)).isEqualTo(new Step.Reply(reply));
    }

    static Stream<Arguments> decisions() {
        var deferred = Pods.pending(LARGE, "Deferred");
        return Stream.of(
                Arguments.of("not seen", LARGE, NOW, new Step.Await(LAPSED)),
                Arguments.of("deferred", deferred, NOW, new Step.Await(LAPSED)),
                Arguments.of(
                        "deferred at the lapse",
                        deferred,
                        LAPSED,
                        new Step.Withdraw(false, "the kubelet deferred it until its permit had lapsed: no CPU")),
                Arguments.of(
                        "not seen at the lapse",
                        LARGE,
                        LAPSED,
                        new Step.Withdraw(false, "the kubelet did not accept it before its permit had lapsed")),
                Arguments.of(
                        "infeasible",
                        Pods.pending(LARGE, "Infeasible"),
                        NOW,
                        new Step.Withdraw(true, "the kubelet refuses it as infeasible: no CPU")),
                Arguments.of("accepted", Pods.accepted(LARGE), NOW, new Step.Reply(new PatchReply.Patched(9))));
    }

    @Test
    void lessMayBeAppliedLate() {
        var less = new ResizeAttempt(
                new PatchVm(
                        VM,
                        "",
                        new Resources(100, 64 * MI),
                        new Revision(1, 0),
                        "r+1/0",
                        "r+1/1",
                        Duration.ofSeconds(5)),
                LAPSED);
        assertThat(less.awaited(Pods.scaled(Pods.resized(SMALL, "100m/64Mi")), LAPSED))
                .isEqualTo(new Step.Reply(new PatchReply.Patched(9)));
    }

    /** A runner would take the size in a conflict for its own, also once that was withdrawn. */
    @Test
    void aSizeThatIsNotDecidedIsNoSizeToGoOnFrom() {
        var later = new ResizeAttempt(
                new PatchVm(
                        VM,
                        "",
                        new Resources(900, 128 * MI),
                        new Revision(2, 1),
                        "r+1/0",
                        "r+1/2",
                        Duration.ofSeconds(5)),
                LAPSED);
        assertThat(later.begin(Pods.scaled(LARGE), NOW))
                .isInstanceOfSatisfying(
                        Step.Reply.class, ended -> assertThat(ended.reply()).isInstanceOf(PatchReply.InDoubt.class));
        assertThat(later.begin(Pods.scaled(Pods.accepted(LARGE)), NOW))
                .isEqualTo(new Step.Reply(new PatchReply.Conflict(new Resources(800, 128 * MI), "r+1/1")));
        var foreign = LARGE.deepCopy();
        foreign.withObject("/metadata/annotations").put("internal.autoscaling.sluice.io/fence", "other+5/0");
        assertThat(later.begin(Pods.scaled(foreign), NOW))
                .isEqualTo(new Step.Reply(new PatchReply.Conflict(new Resources(800, 128 * MI), "other+5/0")));
    }

    /** Whoever withdrew it, the size is not the one that was permitted. */
    @Test
    void aResizeThatAnotherWriteHasUndoneIsNotApplied() {
        var back = Pods.resized(SMALL, "200m/128Mi");
        assertThat(attempt.awaited(Pods.scaled(back), LAPSED))
                .isEqualTo(new Step.Reply(
                        refused(0, "another write has changed its size while the resize was under way")));
        assertThat(attempt.awaited(Pods.scaled(Pods.resized(SMALL, "700m/128Mi")), NOW))
                .isInstanceOfSatisfying(
                        Step.Reply.class, ended -> assertThat(ended.reply()).isInstanceOf(PatchReply.InDoubt.class));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("decisions")
    void followsTheKubelet(String name, ObjectNode pod, Instant now, Step next) {
        assertThat(attempt.awaited(Pods.scaled(pod), now)).isEqualTo(next);
    }

    @Test
    void repliesThatNothingWasAppliedOnlyOnceTheStatusShowsTheWithdrawal() {
        var back = Pods.resized(SMALL, "200m/128Mi");
        var until = LAPSED.plus(ResizeAttempt.WITHDRAWN_WITHIN);
        assertThat(attempt.withdrawn(Pods.scaled(back), "why", LAPSED)).isEqualTo(new Step.Await(until));
        assertThat(attempt.withdrawn(Pods.scaled(Pods.accepted(back)), "why", LAPSED))
                .isEqualTo(new Step.Reply(refused(0, "why")));
        assertThat(attempt.withdrawn(Pods.scaled(back), "why", until))
                .isInstanceOfSatisfying(
                        Step.Reply.class, ended -> assertThat(ended.reply()).isInstanceOf(PatchReply.InDoubt.class));
    }

    private static PatchReply refused(int status, String reason) {
        return new PatchReply.Refused(status, reason);
    }

    /** A kubelet refuses a resize as a whole, and names the kind that is short. */
    @Test
    void whatIsDeferredIsGrowthOfTheKindThatTheKubeletNames() {
        var before = Pods.running("200m/128Mi", "", "Burstable");
        var grown = Pods.resized(before, "500m/192Mi");

        assertThat(deferred(grown, "Deferred", "Node didn't have enough resource: cpu, requested: 500"))
                .isEqualTo(new Resources(300, 0));
        assertThat(deferred(grown, "Deferred", "Node didn't have enough resource: memory, requested: 500"))
                .isEqualTo(new Resources(0, 64 << 20));
        assertThat(deferred(grown, "Deferred", "words of a later kubelet")).isEqualTo(new Resources(300, 64 << 20));
        assertThat(deferred(grown, "Infeasible", "static policy")).isEqualTo(Resources.NONE);
        assertThat(Pods.scaled(grown).deferred()).as("it has not decided").isEqualTo(Resources.NONE);
    }

    private static Resources deferred(ObjectNode pod, String reason, String message) {
        return Pods.scaled(Pods.pending(pod, reason, message)).deferred();
    }
}
