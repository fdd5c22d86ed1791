package io.sluice.replay.recording;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.agent.journal.JournalText;
import io.sluice.replay.core.nodes.NodeSizes;
import io.sluice.replay.core.recorded.RecordedFleet;
import io.sluice.replay.core.recorded.RecordingScore;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.replay.read.LineReader;
import io.sluice.replay.read.MalformedTraceException;
import io.sluice.units.Resources;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads a recording: one file, or all of a folder in their order. A line that breaks the format ends the reading. */
public final class RecordingReader {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final RecordedFleet fleet = new RecordedFleet();
    private final List<Resources> nodes = new ArrayList<>();
    private long dropped;
    private boolean cutOff;

    /** Whether a file or folder is a recording. */
    public static boolean reads(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            return !RecordingWriter.files(path).isEmpty();
        }
        return path.getFileName().toString().endsWith(RecordingWriter.SUFFIX);
    }

    /** Reads all of it. */
    public void read(Path path) throws IOException, MalformedTraceException {
        for (var file : Files.isDirectory(path) ? RecordingWriter.files(path) : List.of(path)) {
            file(file);
        }
    }

    /** The load of its VMs. */
    public List<TraceSeries> series() {
        return fleet.series();
    }

    /** What the comparison of its decisions found. */
    public RecordingScore score() {
        return fleet.score(dropped, cutOff);
    }

    /** A recorder that was killed leaves a file that ends within a line: what is before it counts. */
    private void file(Path file) throws IOException, MalformedTraceException {
        try (var lines = new LineReader(file)) {
            if (!RecordingWriter.HEAD.equals(lines.next())) {
                throw lines.malformed("it is not the head of a recording, " + RecordingWriter.HEAD);
            }
            for (var text = lines.next(); text != null; text = lines.next()) {
                line(text, lines);
            }
        } catch (EOFException early) {
            cutOff = true;
        }
    }

    private void line(String text, LineReader lines) throws MalformedTraceException {
        try {
            var line = MAPPER.readTree(text);
            if (line.has("dropped")) {
                dropped += line.path("dropped").asLong();
                nodes(line.path("nodes"));
                return;
            }
            var vm = required(line, "vm").asText();
            fleet.step(
                    vm,
                    required(line, "runner").asText(),
                    required(line, "number").asLong(),
                    JournalText.read(required(line, "entries")));
            if (line.has("shadowCu")) {
                fleet.goals(
                        required(line, "goalCu").asInt(), line.path("shadowCu").asInt());
            }
        } catch (JsonProcessingException | IllegalArgumentException malformed) {
            throw lines.malformed("it is no line of a recording: " + malformed.getMessage());
        }
    }

    /** The sizes of its nodes; a later file's count. */
    public List<Resources> nodes() {
        return List.copyOf(nodes);
    }

    private void nodes(JsonNode named) {
        if (named.size() > NodeSizes.NODES_MAX) {
            throw new IllegalArgumentException("it has more than " + NodeSizes.NODES_MAX + " nodes");
        }
        if (!named.isEmpty()) {
            nodes.clear();
        }
        for (var node : named) {
            nodes.add(new Resources(
                    required(node, "milliCpu").asLong(),
                    required(node, "memoryBytes").asLong()));
        }
    }

    private static JsonNode required(JsonNode line, String field) {
        var value = line.path(field);
        if (value.isMissingNode()) {
            throw new IllegalArgumentException("it lacks " + field);
        }
        return value;
    }
}
