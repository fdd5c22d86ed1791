package io.sluice.vectors.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.vectors.KindPlayer;
import io.sluice.vectors.MalformedRecordingException;
import io.sluice.vectors.Recording;
import io.sluice.vectors.Tally;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Plays recordings of the scaling core: histories, and tables of goals, working sets, single rules and scraped texts.
 */
public final class ScalingPlayer implements KindPlayer {
    private static final Set<String> RULES = Set.of("requestedCu", "deniedCu", "deniedFloor", "clamp", "system", "lfc");

    @Override
    public String kind() {
        return "scaling-core";
    }

    @Override
    public String unit() {
        return "steps";
    }

    @Override
    public boolean plays(Recording recording) {
        return recording.first().filter(line -> shape(line.json()).isPresent()).isPresent();
    }

    @Override
    public void play(Recording recording, Tally tally) {
        Consumer<Recording.Line> reader = recording
                .first()
                .flatMap(line -> shape(line.json()))
                .map(shape -> reader(shape, tally))
                .orElseThrow(() -> new MalformedRecordingException(recording.path() + ": not a recording of scaling"));
        recording.forEach(line -> read(line, recording, reader));
    }

    private static void read(Recording.Line line, Recording recording, Consumer<Recording.Line> reader) {
        try {
            reader.accept(line);
        } catch (Json.UnreadableException | IllegalArgumentException | ArithmeticException unreadable) {
            throw new MalformedRecordingException(
                    recording.path() + " line " + line.number() + ": " + unreadable.getMessage());
        }
    }

    private enum Shape {
        HISTORY,
        GOAL,
        WORKING_SET,
        RULE
    }

    private static Optional<Shape> shape(JsonNode json) {
        if (json.has("format") && json.has("config") && json.has("vm")) {
            return Optional.of(Shape.HISTORY);
        }
        if (json.has("goalCu") && json.has("scaling")) {
            return Optional.of(Shape.GOAL);
        }
        if (json.has("estimate") && json.has("windows")) {
            return Optional.of(Shape.WORKING_SET);
        }
        return RULES.contains(json.path("kind").asText()) ? Optional.of(Shape.RULE) : Optional.empty();
    }

    private static Consumer<Recording.Line> reader(Shape shape, Tally tally) {
        return switch (shape) {
            case HISTORY -> new HistoryPlayer(tally)::play;
            case GOAL -> table(TablePlayer::goal, tally);
            case WORKING_SET -> table(TablePlayer::workingSet, tally);
            case RULE -> table(TablePlayer::rule, tally);
        };
    }

    private static Consumer<Recording.Line> table(BiConsumer<Recording.Line, Results> play, Tally tally) {
        return line -> {
            var results = new Results(line, "line " + line.number());
            play.accept(line, results);
            tally.compared(results.differences());
        };
    }
}
