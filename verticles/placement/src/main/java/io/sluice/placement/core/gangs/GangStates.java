package io.sluice.placement.core.gangs;

import io.sluice.messages.placement.GangState;
import io.sluice.messages.placement.GangState.Step;
import java.util.Optional;
import java.util.function.Function;

/** How far gangs are, as others see it. */
public final class GangStates {
    private GangStates() {}

    /** @param held how far a pod is in its attempt; empty if it is in none */
    public static GangState of(GangRecord record, Function<String, Optional<GangAttempt.Held>> held) {
        var members = record.members().stream()
                .map(member -> member(member, held.apply(member.uid())))
                .toList();
        var key = record.key();
        var source = record.spec().map(GangSpec::source).orElse(GangSpec.Source.NONE);
        var state = new GangState(
                GangReader.apiGroup(key.kind()),
                key.namespace(),
                key.name(),
                source.uid(),
                source.version(),
                record.spec().map(GangSpec::minMember).orElse(0),
                "",
                record.waitReason(),
                members);
        return new GangState(
                state.apiGroup(),
                state.namespace(),
                state.name(),
                state.uid(),
                state.version(),
                state.minMember(),
                phase(state),
                state.reason(),
                members);
    }

    private static GangState.Member member(GangMember member, Optional<GangAttempt.Held> held) {
        var node = member.node().isEmpty() ? held.map(GangAttempt.Held::node).orElse("") : member.node();
        return new GangState.Member(member.uid(), member.name(), node, step(member, held));
    }

    private static Step step(GangMember member, Optional<GangAttempt.Held> held) {
        return switch (member.end()) {
            case SUCCEEDED -> Step.SUCCEEDED;
            case FAILED -> Step.FAILED;
            case NONE ->
                member.isBound()
                        ? member.running() ? Step.RUNNING : Step.BOUND
                        : held.map(it -> switch (it.step()) {
                                    case HOLDING, FAILED -> Step.PENDING;
                                    case HELD -> Step.HELD;
                                    case BINDING, RETRIED -> Step.BINDING;
                                    case BOUND -> Step.BOUND;
                                })
                                .orElse(Step.PENDING);
        };
    }

    /** The phases of the community's controller; what it calls PreScheduling is Scheduling here. */
    private static String phase(GangState state) {
        int least = state.minMember();
        int succeeded = state.count(Step.SUCCEEDED);
        int running = state.count(Step.RUNNING) + succeeded;
        int scheduled = state.count(Step.BOUND) + running;
        int failed = state.count(Step.FAILED);
        if (least == 0) {
            return "Unknown";
        }
        if (succeeded >= least) {
            return "Finished";
        }
        if (failed > 0 && failed + running >= least) {
            return "Failed";
        }
        if (running >= least) {
            return "Running";
        }
        if (scheduled >= least) {
            return "Scheduled";
        }
        return state.members().size() >= least ? "Scheduling" : "Pending";
    }
}
