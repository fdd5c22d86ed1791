package io.sluice.simulation.exhaustive;

import java.util.ArrayList;
import java.util.List;

/**
 * The shortest history that breaks a promise.
 *
 * @param steps one line for each step
 * @param promise the broken promise, with the numbers that show it
 */
record Counterexample(List<String> steps, String promise) {
    Counterexample {
        steps = List.copyOf(steps);
    }

    static Counterexample of(Model model, Steps steps, SystemState first, List<Step> history, String promise) {
        var words = new Words(model);
        var lines = new ArrayList<String>();
        lines.add(words.state(first));
        var state = first;
        for (int i = 0; i < history.size(); i++) {
            var step = history.get(i);
            lines.add(words.step(state, step));
            if (i < history.size() - 1) {
                state = steps.after(state, step).orElseThrow();
            }
        }
        return new Counterexample(lines, promise);
    }

    String text() {
        var text = new StringBuilder("   at first: ").append(steps.getFirst()).append(System.lineSeparator());
        for (int i = 1; i < steps.size(); i++) {
            text.append("%4d  %s%n".formatted(i, steps.get(i)));
        }
        return text.append("      => ").append(promise).toString();
    }
}
