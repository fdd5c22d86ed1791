package io.sluice.vectors.monitor;

import io.sluice.monitor.core.MonitorConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The expected course of each connection with Sluice, derived from the recording alone. */
final class ExpectedMessages {
    private static final double RESPONSE_MS =
            MonitorConfig.DEFAULTS.responseTimeout().toMillis();

    private final RecordedSession session;
    private final Timing timing;

    ExpectedMessages(RecordedSession session, Timing timing) {
        this.session = session;
        this.timing = timing;
    }

    Course of(int connection) {
        boolean serves = session.serves(connection);
        return new Course(
                serves,
                serves && session.of(connection).stream().anyMatch(ExpectedMessages::isUpscaleRequest),
                serves ? outcomes(connection) : List.of(),
                end(connection));
    }

    private static boolean isUpscaleRequest(Step step) {
        return step.fromMonitor() && step.isText() && Message.of(step.text()).isUpscaleRequest();
    }

    private String end(int connection) {
        for (var step : session.of(connection)) {
            if (step.givesUp()) {
                return Course.BY_US;
            }
            if (step.fromMonitor() && step.isHttp() && !step.upgrades()) {
                return Course.refused(step.status());
            }
            if (step.fromMonitor() && step.isText() && !session.versionAgreed(connection)) {
                return Course.VERSION_REFUSED;
            }
            if (step.fromMonitor() && step.isEnd()) {
                return Course.ENDED;
            }
        }
        return Course.BY_US;
    }

    /** The outcomes of the resizes, in order; Sluice refuses one that is requested while another waits. */
    private List<String> outcomes(int connection) {
        var outcomes = new ArrayList<String>();
        var waiting = new HashMap<String, Integer>();
        var requestedAt = new HashMap<String, Double>();
        for (var step : session.of(connection)) {
            if (step.givesUp()) {
                break;
            }
            var message = Message.of(step.text());
            if (step.fromAgent() && step.isText() && message.isResize()) {
                if (waiting.isEmpty()) {
                    waiting.put(message.id(), outcomes.size());
                    requestedAt.put(message.id(), step.atMs());
                }
                outcomes.add(
                        waiting.containsKey(message.id()) && requestedAt.get(message.id()) == step.atMs()
                                ? Course.LOST
                                : Course.BUSY);
            } else if (step.fromMonitor() && message.isAnswerToResize() && waiting.containsKey(message.id())) {
                boolean late = timing == Timing.KEPT && step.atMs() - requestedAt.get(message.id()) > RESPONSE_MS;
                outcomes.set(waiting.remove(message.id()), late ? Course.FAILED : outcome(message));
            }
        }
        return outcomes;
    }

    private static String outcome(Message answer) {
        return switch (answer.type()) {
            case "UpscaleConfirmation" -> Course.YES;
            case "DownscaleResult" -> answer.json().path("Ok").asBoolean() ? Course.YES : Course.NO;
            default -> Course.FAILED;
        };
    }

    Map<Integer, Course> all() {
        var courses = new HashMap<Integer, Course>();
        session.connections().forEach(connection -> courses.put(connection, of(connection)));
        return courses;
    }
}
