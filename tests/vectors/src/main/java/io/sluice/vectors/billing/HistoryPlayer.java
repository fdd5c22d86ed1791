package io.sluice.vectors.billing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.billing.core.reference.ReferenceCollector;
import io.sluice.billing.core.reference.ReferenceState;
import io.sluice.vectors.Difference;
import io.sluice.vectors.Recording;
import io.sluice.vectors.Tally;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Plays histories step by step. Differences in a look count with the next push, or at the end of the history. */
final class HistoryPlayer {
    private static final BigInteger MILLI_CPU_NS_PER_CPU_SECOND = BigInteger.valueOf(1_000_000_000_000L);
    private static final BigInteger HALF = MILLI_CPU_NS_PER_CPU_SECOND.shiftRight(1);
    private static final String EITHER_ROUNDING = "binary-rounding-cpu";

    private final Tally tally;
    private final List<Difference> looked = new ArrayList<>();
    private RecordedVms vms = new RecordedVms();
    private ReferenceCollector collector = new ReferenceCollector(Instant.EPOCH);
    private long history = -1;

    HistoryPlayer(Tally tally) {
        this.tally = tally;
    }

    void play(Recording.Line line) {
        var step = Values.of(line);
        if (step.whole("h") != history) {
            end();
            history = step.whole("h");
            vms = new RecordedVms();
        }
        switch (step.text("op")) {
            case "vm" -> vms.put(step);
            case "gone" -> vms.remove(step);
            case "watch" -> vms.fail(step.flag("failing"));
            case "start" -> start(step);
            case "restart" -> restart(step);
            case "collect" -> look(step, OurAnswers::look);
            case "push" -> push(step);
            case String other -> throw line.malformed("no such op: " + other);
        }
    }

    /** Counts differences in looks after the last push. */
    void end() {
        if (!looked.isEmpty()) {
            tally.compared(List.copyOf(looked));
            looked.clear();
        }
    }

    private void start(Values step) {
        collector = new ReferenceCollector(step.instant("at"));
        look(step, OurAnswers::look);
    }

    /** Replaces the process: what it had in memory is lost. */
    private void restart(Values step) {
        long lost = collector.state().held().values().stream()
                .filter(held -> held.activeNs() > 0)
                .count();
        collector = new ReferenceCollector(step.instant("at"));
        look(step, state -> OurAnswers.look(state).put("lost", lost));
    }

    private void look(Values step, Function<ReferenceState, ObjectNode> answer) {
        collector.sample(step.instant("at"), vms.observed());
        var results = new Results(step.line());
        results.expect("", step.json(), answer.apply(collector.state()));
        looked.addAll(results.differences());
    }

    private void push(Values step) {
        var at = step.instant("at");
        var ours = OurAnswers.push(collector.push(at), at);
        var results = new Results(step.line());
        allowEitherRounding(step.json().path("pairs"), ours.path("pairs"));
        results.expect("", step.json(), ours);
        looked.addAll(results.differences());
        tally.compared(List.copyOf(looked));
        looked.clear();
    }

    /** Accepts either rounding if the exact sum ends on a half and its binary sum is just below. */
    private static void allowEitherRounding(JsonNode recorded, JsonNode ours) {
        for (int i = 0; i < Math.min(recorded.size(), ours.size()); i++) {
            long rounded = recorded.get(i).at("/cpu/value").asLong();
            boolean marked = false;
            for (var reason : recorded.get(i).path("differs")) {
                marked |= reason.asText().equals(EITHER_ROUNDING);
            }
            var exact = new BigInteger(ours.get(i).path("milliCpuNs").textValue());
            boolean half = exact.mod(MILLI_CPU_NS_PER_CPU_SECOND).equals(HALF);
            if (marked && half && ours.get(i).at("/cpu/value").asLong() == rounded + 1) {
                ((ObjectNode) ours.get(i).get("cpu")).put("value", rounded);
            }
        }
    }
}
