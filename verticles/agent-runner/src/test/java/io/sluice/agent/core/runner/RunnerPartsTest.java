package io.sluice.agent.core.runner;

import static io.sluice.agent.core.runner.RunnerRig.VM;
import static io.sluice.agent.core.runner.RunnerRig.cu;
import static io.sluice.agent.core.runner.RunnerRig.observation;
import static io.sluice.agent.core.runner.RunnerRig.sizes;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.core.pace.FixedGrid;
import io.sluice.agent.core.pace.ReactionTracker;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.agent.core.status.VmPod;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.monitor.UpscaleRequest;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.PatchReply;
import io.sluice.units.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The small classes that a runner is made of. */
class RunnerPartsTest {
    private static final Instant START = RunnerRig.START;

    @Nested
    class OfTheMonitorsSession {
        private final MonitorSessionState link = new MonitorSessionState();

        @Test
        void takesNoStateThatWasOvertaken() {
            assertThat(link.received(state(5, true))).isTrue();
            assertThat(link.received(state(4, false))).isFalse();
            assertThat(link.connected()).isTrue();
        }

        @Test
        void acceptsAReplyOfOneThatCountsAnewUnlessItWasOvertakenOnItsWay() {
            link.received(state(5, true));
            assertThat(link.answered(state(2, true), 5)).isTrue();
            link.received(state(7, true));
            assertThat(link.answered(state(3, true), 2)).isFalse();
            assertThat(link.generation()).isEqualTo(7);
        }

        @Test
        void isGivenUpAfterThreeLossesInARow() {
            link.received(state(5, true));
            assertThat(link.lost() || link.lost()).isFalse();
            link.answered(state(5, true), 5);
            assertThat(link.lost() || link.lost()).isFalse();
            assertThat(link.connected()).isTrue();
            assertThat(link.lost()).isTrue();
            assertThat(link.connected()).isFalse();
            assertThat(link.received(state(1, true))).as("any state now").isTrue();
        }

        /** Whatever their numbers: each process has numbers of its own. */
        @Test
        void takesStatesAndUpscaleRequestsOnlyFromTheProcessThatReplied() {
            link.answered(state(5, true).keptAt("d1"), -1);
            assertThat(link.received(state(9, false).keptAt("d2"))).isFalse();
            assertThat(link.belongs(new UpscaleRequest(VM, 9, "d2"))).isFalse();
            assertThat(link.connected()).isTrue();
            assertThat(link.belongs(new UpscaleRequest(VM, 5, "d1"))).isTrue();
        }

        @Test
        void acceptsAReplyOfAnotherProcessHoweverItCounts() {
            link.answered(state(5, true).keptAt("d1"), -1);
            link.received(state(7, true).keptAt("d1"));
            assertThat(link.answered(state(3, false).keptAt("d2"), 5)).isTrue();
            assertThat(link.at()).contains("d2");
            assertThat(link.connected()).isFalse();
            assertThat(link.received(state(8, true).keptAt("d1"))).isFalse();
            assertThat(link.received(state(4, true).keptAt("d2"))).isTrue();
        }

        /** It has no session: a process was killed for want of memory, whatever the monitor reports. */
        @Test
        void anUpscaleRequestOfADriverCountsInAnySession() {
            link.answered(state(5, true).keptAt("d1"), -1);
            var request = new UpscaleRequest(VM, MonitorState.OF_DRIVER);
            assertThat(link.upscaleRequested(request, Instant.EPOCH)).isTrue();
            link.received(state(6, true).keptAt("d1"));
            assertThat(link.upscaleRequestedAt()).contains(Instant.EPOCH);
        }

        private static MonitorState state(long generation, boolean connected) {
            return new MonitorState(VM, generation, connected, "");
        }
    }

    @Nested
    class OfTheFence {
        @ParameterizedTest(name = "{0}: {1}")
        @CsvSource({
            "r.1+7/2, Ours",
            "r.1+7/3, Ours",
            "r.1+7/4, Ours",
            "r.1+7/1, Nobodys",
            "r.1+7/5, Nobodys",
            "r.1+7/x, Nobodys",
            "r.2+9/0, Nobodys",
            "settle-a+9/0, Nobodys",
            "r1.1/0, Foreign",
            "s.1/3, Foreign",
            "nothing, Foreign"
        })
        void isOursOnlyWhereThisRunnerCanHaveLeftIt(String read, String outcome) {
            var fence = new Fence("r.1+7", 2, 4);
            assertThat(fence.weigh(read, "r").getClass().getSimpleName()).isEqualTo(outcome);
        }

        @ParameterizedTest
        @CsvSource({"r.1/0, true", "r.1+7/0, true", "r.11/0, false", "r.1, false", "r.1/x, false"})
        void standsOnlyWhereTheAnswerNamesItsOwner(String read, boolean stands) {
            assertThat(Fence.claimed("r.1", read).isPresent()).isEqualTo(stands);
        }
    }

    @Nested
    class OfItsRounds {
        @Test
        void aRoundThatTookLongShiftsNoneAfterItAndMakesUpForNone() {
            var rounds = new FixedGrid(START, Duration.ofSeconds(5));
            rounds.begun(START.plusSeconds(12));
            assertThat(rounds.next()).isEqualTo(START.plusSeconds(15));
            assertThat(rounds.due(START.plusMillis(14_999))).isFalse();
            assertThat(rounds.due(START.plusSeconds(15))).isTrue();
        }
    }

    @Nested
    class OfItsReactions {
        private final ReactionTracker raises = new ReactionTracker();

        @Test
        void countFromWhenThatMuchWasFirstRequested() {
            raises.record(cu(3), cu(1), START, true);
            raises.record(cu(2), cu(1), START.plusSeconds(1), true);
            raises.record(cu(5), cu(1), START.plusSeconds(2), true);
            assertThat(raises.since(cu(2))).contains(START);
            assertThat(raises.since(cu(4))).contains(START.plusSeconds(2));
            raises.reached(cu(3));
            raises.record(cu(5), cu(3), START.plusSeconds(3), true);
            assertThat(raises.since(cu(2)))
                    .as("that was given, so this is another goal")
                    .contains(START.plusSeconds(2));
        }

        @Test
        void endWithTheGoalAndAreNoneWhereNoLoadMadeIt() {
            raises.record(cu(3), cu(1), START, true);
            raises.record(cu(1), cu(1), START.plusSeconds(1), true);
            assertThat(raises.since(cu(3))).isEmpty();
            raises.record(cu(3), cu(1), START.plusSeconds(2), false);
            assertThat(raises.since(cu(3))).isEmpty();
        }

        @Test
        void areBounded() {
            for (int i = 0; i < 100; i++) {
                raises.record(cu(2 + i), cu(1), START.plusSeconds(i), true);
            }
            assertThat(raises.since(cu(17))).contains(START.plusSeconds(15));
            assertThat(raises.since(cu(18))).isEmpty();
        }
    }

    @Nested
    class OfItsMember {
        @Test
        void isLeftBehindByAnotherPodOrAnotherNode() {
            var observed = RunnerObservations.usual(1);
            var elsewhere = new VmPod(VM, "n2", "pod-a", "pod-a");
            assertThat(VmPod.of(observed).leftBehindBy(observed)).isFalse();
            assertThat(elsewhere.leftBehindBy(observed)).isTrue();
            assertThat(new VmPod(VM, "n1", "pod-b", "pod-b").leftBehindBy(observed))
                    .isTrue();
        }
    }

    @Nested
    class OfItsView {
        private final VmObjectView view = new VmObjectView(
                observation(
                        1,
                        "pod-a",
                        VmPhase.RUNNING,
                        true,
                        sizes(cu(4)),
                        Optional.of(new Revision(9_000_000_000_000L, 0)),
                        "old/3"),
                CoreConfig.DEFAULTS.scaling(),
                RunnerHandover.FRESH.overrides());

        @Test
        void aStatusCountsFromTheClaimAndFromObservationsThatShowItsFence() {
            view.claimed(new Fence("r.1", 0, 0), new ClaimReply.Claimed("r.1/0", sizes(cu(5)), true, Optional.empty()));
            assertThat(view.info(cu(5), START).status()).contains(cu(5));
            view.take(observation(2, "pod-a", VmPhase.RUNNING, true, sizes(cu(2)), Optional.empty(), "old/3"));
            assertThat(view.info(cu(5), START).status())
                    .as("from before the claim")
                    .contains(cu(5));
            view.take(observation(3, "pod-a", VmPhase.RUNNING, true, sizes(cu(2)), Optional.empty(), "r.1/4"));
            assertThat(view.info(cu(5), START).status()).contains(cu(2));
        }

        @Test
        void goalsAreNumberedBeyondWhatTheStatusShows() {
            view.claimed(
                    new Fence("r.1", 0, 0),
                    new ClaimReply.Claimed("r.1/0", sizes(cu(1)), true, Optional.of(new Revision(3, 0))));
            var core = view.newCore(CoreConfig.DEFAULTS, START);
            core.upscaleRequested(START, true, true);
            assertThat(core.nextActions(START)
                            .pluginRequest()
                            .orElseThrow()
                            .targetRevision()
                            .revision()
                            .value())
                    .isEqualTo(9_000_000_000_001L);
        }
    }

    @Nested
    class OfTheRequestsToItsGuest {
        @Test
        void anUpscaleThatDidNotArriveIsSentAgainAfterAWhile() {
            var rig = RunnerRig.serving();
            rig.answer(rig.patchTo(6), new PatchReply.Patched(9));
            rig.report(new RunnerEvent.GuestAnswered(
                    rig.only(RunnerAction.UpscaleGuest.class).number(), new ResizeReply.Failed("busy")));
            var failed = rig.now;
            while (rig.all(RunnerAction.UpscaleGuest.class).isEmpty()) {
                rig.now = rig.wakeAt().orElseThrow();
                rig.report(new RunnerEvent.Woken());
            }
            assertThat(Duration.between(failed, rig.now)).isEqualTo(Duration.ofSeconds(3));
        }

        /** Such as after a kill in a pod that has a monitor of its own. */
        @Test
        void moreThatADriverRequestsIsGivenOnceHoweverOftenTheMonitorConnects() {
            var rig = RunnerRig.serving();
            rig.sample(4);
            rig.report(new RunnerEvent.UpscaleRequested(new UpscaleRequest(VM, MonitorState.OF_DRIVER)));
            var request = rig.only(RunnerAction.RequestPermit.class);
            assertThat(request.request().target()).isEqualTo(cu(5));
            rig.report(new RunnerEvent.MonitorChanged(new MonitorState(VM, 6, true, "")));
            assertThat(rig.status().basis().requestedCu())
                    .as("it has not grown yet")
                    .isEqualTo(5);

            rig.grant(request);
            rig.answer(rig.only(RunnerAction.PatchSize.class), new PatchReply.Patched(9));
            rig.report(new RunnerEvent.MonitorChanged(new MonitorState(VM, 7, true, "")));
            assertThat(rig.status().basis().requestedCu()).as("it has grown").isZero();
        }

        @Test
        void aRequestWithoutAReplyIsRepeatedAfterAWhile() {
            var rig = RunnerRig.serving();
            rig.sample(3);
            rig.report(new RunnerEvent.RequestFailed(
                    rig.only(RunnerAction.DownscaleGuest.class).number(), "timeout"));
            var failed = rig.now;
            while (rig.all(RunnerAction.DownscaleGuest.class).isEmpty()) {
                rig.now = rig.wakeAt().orElseThrow();
                rig.report(new RunnerEvent.Woken());
            }
            assertThat(Duration.between(failed, rig.now)).isEqualTo(Duration.ofSeconds(3));
        }
    }
}
