package io.sluice.vectors.agentscheduler;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.vectors.Difference;
import io.sluice.vectors.KindPlayer;
import io.sluice.vectors.MalformedRecordingException;
import io.sluice.vectors.Recording;
import io.sluice.vectors.Tally;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Plays exchanges of agents with the scheduler; a file is one document with the exchanges in order. */
public final class AgentSchedulerPlayer implements KindPlayer {
    private static final String KIND = "agent-scheduler";

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public String unit() {
        return "exchanges";
    }

    @Override
    public boolean readsLines() {
        return false;
    }

    @Override
    public boolean plays(Recording recording) {
        var document = recording.document();
        return document.path("protocol").asText().equals(KIND)
                && document.path("cases").isArray();
    }

    @Override
    public void play(Recording recording, Tally tally) {
        for (var played : play(recording, recording.document())) {
            if (played.good() && played.onPurpose().isPresent()) {
                tally.playedOnly(recording.name() + " " + played.name() + ": "
                        + played.onPurpose().get());
            } else {
                tally.compared(differences(recording, played));
            }
        }
    }

    private static List<Played> play(Recording recording, JsonNode document) {
        try {
            return ExchangePlayer.play(RecordedExchange.all(document));
        } catch (IllegalArgumentException malformed) {
            throw new MalformedRecordingException(recording.path() + ": " + malformed.getMessage());
        } catch (IOException noAnswer) {
            throw new UncheckedIOException(recording.path() + ": an exchange got no reply", noAnswer);
        }
    }

    private static List<Difference> differences(Recording recording, Played played) {
        return played.good()
                ? List.of()
                : List.of(new Difference(
                        recording.name(),
                        played.name(),
                        "answer",
                        played.recorded().toString(),
                        played.ours().toString()));
    }
}
