package io.sluice.vectors.monitor;

import io.sluice.vectors.MalformedRecordingException;
import io.sluice.vectors.Recording;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * One recording: the events on all of its connections, in order.
 *
 * @param file the file it was read from
 * @param name its own name
 * @param setup how the monitor was started
 * @param steps its events
 */
record RecordedSession(String file, String name, String setup, List<Step> steps) {
    /** A monitor that was started in one of these ways serves every client that completes the handshake. */
    private static final Set<String> WELL_STARTED = Set.of("cgroup", "cgroup+pg", "real");

    RecordedSession {
        steps = List.copyOf(steps);
    }

    static RecordedSession of(Recording recording) {
        var steps = new ArrayList<Step>();
        var heads = new ArrayList<Recording.Line>();
        recording.forEach(line -> {
            if (line.json().path("type").asText().equals("scenario")) {
                heads.add(line);
            } else if (Step.isOne(line.json())) {
                steps.add(Step.of(line.json()));
            }
        });
        if (heads.size() != 1 || steps.isEmpty()) {
            throw new MalformedRecordingException(
                    recording.path() + ": one scenario and what happened in it were expected");
        }
        var head = heads.getFirst().json();
        return new RecordedSession(
                recording.name(), head.path("name").asText(), head.path("setup").asText(), versionsFirst(steps));
    }

    /**
     * Moves the version first: Sluice sends nothing before it, so earlier messages of a recorded agent count as sent
     * after it.
     */
    private static List<Step> versionsFirst(List<Step> steps) {
        var sorted = new ArrayList<>(steps);
        for (int i = 0; i < sorted.size(); i++) {
            var step = sorted.get(i);
            if (step.fromMonitor() && step.isText() && isFirstText(sorted, i)) {
                sorted.add(afterFirstFrame(sorted, step.connection()), sorted.remove(i));
            }
        }
        return sorted;
    }

    private static boolean isFirstText(List<Step> steps, int index) {
        var step = steps.get(index);
        return steps.subList(0, index).stream()
                .noneMatch(
                        before -> before.connection() == step.connection() && before.fromMonitor() && before.isText());
    }

    private static int afterFirstFrame(List<Step> steps, int connection) {
        int i = 0;
        while (!(steps.get(i).connection() == connection
                && steps.get(i).fromAgent()
                && !steps.get(i).isHttp()
                && !steps.get(i).type().equals("tcp-open"))) {
            i++;
        }
        return i + 1;
    }

    List<Integer> connections() {
        return steps.stream().map(Step::connection).distinct().toList();
    }

    List<Step> of(int connection) {
        return steps.stream().filter(step -> step.connection() == connection).toList();
    }

    /** Whether the version was agreed on; that reply is the first of the monitor's texts. */
    boolean versionAgreed(int connection) {
        return monitorTexts(connection).stream()
                .limit(1)
                .map(text -> Message.of(text).json())
                .anyMatch(answer -> answer.path("version").asInt() == 1 && !answer.hasNonNull("error"));
    }

    /** Whether the monitor sent anything after the version. */
    boolean answers(int connection) {
        return monitorTexts(connection).size() > 1;
    }

    /** Whether a session was established to which requests can be sent. */
    boolean serves(int connection) {
        return versionAgreed(connection)
                && (answers(connection) || givenUp(connection) || WELL_STARTED.contains(setup) && resizes(connection));
    }

    boolean givenUp(int connection) {
        return of(connection).stream().anyMatch(Step::givesUp);
    }

    private boolean resizes(int connection) {
        return of(connection).stream()
                .anyMatch(step -> step.fromAgent()
                        && step.isText()
                        && Message.of(step.text()).isResize());
    }

    private List<String> monitorTexts(int connection) {
        return of(connection).stream()
                .filter(step -> step.fromMonitor() && step.isText())
                .map(Step::text)
                .toList();
    }
}
