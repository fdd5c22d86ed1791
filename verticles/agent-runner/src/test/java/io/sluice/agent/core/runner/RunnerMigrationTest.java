package io.sluice.agent.core.runner;

import static io.sluice.agent.core.runner.RunnerRig.cu;
import static io.sluice.agent.core.runner.RunnerRig.observation;
import static io.sluice.agent.core.runner.RunnerRig.opened;
import static io.sluice.agent.core.runner.RunnerRig.ruled;
import static io.sluice.agent.core.runner.RunnerRig.sizes;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.vm.PatchReply;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A VM is migrated to another node, or a migration is revoked. */
class RunnerMigrationTest {
    @Test
    void staysWhileTheMigrationHasNotBegunAndGoesOnWhenItDoesNot() {
        var rig = RunnerRig.serving().sample(4);
        rig.report(new RunnerEvent.VmChanged(in(VmPhase.PRE_MIGRATING, 2, "pod-a")));
        assertThat(rig.waiting()).isEqualTo(Waiting.MIGRATION);
        assertThat(rig.why()).isEqualTo("a migration has locked the VM and not begun to move it");

        rig.sample(6);
        var request = rig.only(RunnerAction.RequestPermit.class);
        rig.report(new RunnerEvent.PermitAnswered(request.number(), ruled(request.request(), cu(4), true)));
        assertThat(rig.all(RunnerAction.PatchSize.class)).isEmpty();
        assertThat(rig.decisions).extracting(Decision::kind).containsExactly(Decision.Kind.DENIED);

        rig.report(new RunnerEvent.VmChanged(in(VmPhase.RUNNING, 3, "pod-a")));
        assertThat(rig.waiting()).as("the ledger has not taken its mark back").isEqualTo(Waiting.MIGRATION);
        rig.pass(Duration.ofSeconds(3));
        rig.grant(rig.only(RunnerAction.RequestPermit.class));
        assertThat(rig.only(RunnerAction.PatchSize.class).request().target()).isEqualTo(cu(6));
    }

    @Test
    void keepsWhatWasLastKnownWhileTheVmMoves() {
        var rig = RunnerRig.serving().sample(6);
        rig.rule(rig.only(RunnerAction.RequestPermit.class), cu(5));
        var patch = rig.only(RunnerAction.PatchSize.class);
        rig.report(new RunnerEvent.VmChanged(in(VmPhase.MIGRATING, 2, "pod-a")));
        assertThat(rig.waiting()).isEqualTo(Waiting.MIGRATION);
        assertThat(rig.all(RunnerAction.Stop.class))
                .as("the patch in flight may still change the VM")
                .isEmpty();

        rig.answer(patch, new PatchReply.Patched(9));
        assertThat(rig.only(RunnerAction.Stop.class).reason()).isEqualTo(StopReason.MIGRATING);
        assertThat(rig.waiting()).isEqualTo(Waiting.MIGRATION);
        assertThat(rig.why()).isEqualTo("the VM is on its way to another node");
        assertThat(rig.status().size()).isEqualTo(cu(5));
        assertThat(rig.status().goal()).contains(cu(6));
        assertThat(rig.status().permit()).contains(cu(5));
    }

    @Test
    void theRunnerAfterAMigrationRequestsForAnotherPod() {
        var before = RunnerRig.serving().sample(4);
        before.report(new RunnerEvent.VmChanged(in(VmPhase.MIGRATING, 2, "pod-a")));
        var left = before.only(RunnerAction.Stop.class);

        var moved = in(VmPhase.RUNNING, 7, "pod-b");
        assertThat(Runner.serves(moved)).isTrue();
        var rig = new RunnerRig(moved, left.resume()).report(new RunnerEvent.Started());
        var open = rig.only(RunnerAction.OpenLedgerSession.class);
        assertThat(open.request().pod()).isEqualTo("pod-b");
        assertThat(open.request().lastSession())
                .as("sessions of the pod that was left count nothing here")
                .isZero();
        rig.report(new RunnerEvent.SessionAnswered(open.number(), opened(1)));
        rig.claim();
        assertThat(rig.only(RunnerAction.RequestPermit.class).request().pod()).isEqualTo("pod-b");
        rig.grant(rig.only(RunnerAction.RequestPermit.class));
        var patch = rig.patchTo(6).request();
        assertThat(patch.podName())
                .as("a patch meant for the pod that was left is refused")
                .isEqualTo("pod-b");
        assertThat(patch.fence()).as("the new runner's own").isEqualTo("r.1/0");
    }

    @Test
    void theRunnerAfterAFailedMigrationRequestsForTheSamePod() {
        var before = RunnerRig.serving().sample(4);
        before.report(new RunnerEvent.VmChanged(in(VmPhase.MIGRATING, 2, "pod-a")));
        var left = before.only(RunnerAction.Stop.class);
        assertThat(left.restartAfter())
                .as("as soon as the VM is to be served again")
                .isEmpty();

        var rig = new RunnerRig(in(VmPhase.RUNNING, 3, "pod-a"), left.resume()).report(new RunnerEvent.Started());
        assertThat(rig.only(RunnerAction.OpenLedgerSession.class).request().lastSession())
                .isEqualTo(1);
    }

    @Test
    void leavesAtOnceWhenTheVmIsFoundInAnotherPod() {
        var rig = RunnerRig.serving().sample(4);
        rig.report(new RunnerEvent.VmChanged(in(VmPhase.RUNNING, 2, "pod-b")));
        assertThat(rig.only(RunnerAction.Stop.class).reason()).isEqualTo(StopReason.MOVED);
        assertThat(rig.waiting()).isEqualTo(Waiting.MIGRATION);
        assertThat(rig.why()).isEqualTo("the VM runs in pod pod-b on node n1 now");
    }

    private static VmObserved in(VmPhase phase, long version, String pod) {
        return observation(version, pod, phase, true, sizes(cu(4)), Optional.empty(), "r.1/0");
    }
}
