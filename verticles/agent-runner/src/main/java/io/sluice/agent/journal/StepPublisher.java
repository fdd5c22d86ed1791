package io.sluice.agent.journal;

import io.sluice.agent.core.runner.Runner;
import io.sluice.agent.core.scaling.CoreEntry;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.messages.agent.RunnerStep;
import java.util.ArrayList;
import java.util.List;

/** Publishes what happens to scaling cores, while a tap of this process is open. */
public final class StepPublisher {
    private final Bus bus;

    public StepPublisher(Bus bus) {
        this.bus = bus;
    }

    /** Whether there is a reader. */
    public boolean isOpen() {
        return bus.tap().isOpen();
    }

    /** Publishes what the runner's last event did, if it was kept. */
    public void publish(Runner runner) {
        runner.takeStep().ifPresent(step -> bus.publish(AgentAddresses.STEP, message(runner, step)));
    }

    private static RunnerStep message(Runner runner, CoreEntry.Step step) {
        var pod = runner.pod();
        return new RunnerStep(
                pod.vm(),
                pod.node(),
                runner.id(),
                step.number(),
                runner.goalCu(),
                runner.shadowCu(),
                pieces(JournalText.write(step.entries())));
    }

    static List<String> pieces(String text) {
        var pieces = new ArrayList<String>();
        for (int at = 0; at < text.length(); at += RunnerStep.PIECE_MAX) {
            pieces.add(text.substring(at, Math.min(text.length(), at + RunnerStep.PIECE_MAX)));
        }
        return pieces;
    }
}
