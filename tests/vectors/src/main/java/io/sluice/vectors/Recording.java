package io.sluice.vectors;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.units.Resources;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/**
 * One file of a recording: one JSON object a line, plain or gzip-compressed.
 *
 * @param path path of the file
 */
public record Recording(Path path) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LINES = ".jsonl";
    private static final String COMPRESSED = ".gz";

    /** Whether a file of this name is read line by line. */
    static boolean hasLines(Path path) {
        var name = path.getFileName().toString();
        return name.endsWith(LINES) || name.endsWith(LINES + COMPRESSED);
    }

    /** Its name without folders. */
    public String name() {
        return path.getFileName().toString();
    }

    /** The first line; empty for an empty file. */
    public Optional<Line> first() {
        try (var lines = open()) {
            var text = lines.readLine();
            return text == null ? Optional.empty() : Optional.of(parse(text, 1));
        } catch (IOException unreadable) {
            throw broken(unreadable);
        }
    }

    /** Passes each line to the reader, in order. */
    public void forEach(Consumer<Line> reader) {
        try (var lines = open()) {
            int number = 0;
            for (var text = lines.readLine(); text != null; text = lines.readLine()) {
                number++;
                reader.accept(parse(text, number));
            }
        } catch (IOException unreadable) {
            throw broken(unreadable);
        }
    }

    /** The whole file as one document. */
    public JsonNode document() {
        try (var text = open()) {
            return JSON.readTree(text);
        } catch (JsonProcessingException notJson) {
            throw new MalformedRecordingException(path + ": not JSON: " + notJson.getOriginalMessage(), notJson);
        } catch (IOException unreadable) {
            throw broken(unreadable);
        }
    }

    private BufferedReader open() throws IOException {
        var bytes = Files.newInputStream(path);
        try {
            return new BufferedReader(new InputStreamReader(unpacked(bytes), StandardCharsets.UTF_8));
        } catch (IOException notCompressed) {
            bytes.close();
            throw notCompressed;
        }
    }

    private InputStream unpacked(InputStream bytes) throws IOException {
        return name().endsWith(COMPRESSED) ? new GZIPInputStream(bytes) : bytes;
    }

    private Line parse(String text, int number) {
        try {
            var json = JSON.readTree(text);
            if (!json.isObject()) {
                throw new MalformedRecordingException(path + " line " + number + ": a JSON object was expected");
            }
            return new Line(name(), number, json);
        } catch (JsonProcessingException notJson) {
            throw new MalformedRecordingException(
                    path + " line " + number + ": not JSON: " + notJson.getOriginalMessage(), notJson);
        }
    }

    private MalformedRecordingException broken(IOException unreadable) {
        return new MalformedRecordingException(
                path + ": cannot be read: " + unreadable, new UncheckedIOException(unreadable));
    }

    /**
     * One line.
     *
     * @param file name of the file
     * @param number number of the line, from 1
     * @param json the object
     */
    public record Line(String file, int number, JsonNode json) {
        /** History and command if the line names them, else its number. */
        public String place() {
            return json.has("h") ? "h=" + json.get("h") + " i=" + json.get("i") : "line " + number;
        }

        boolean has(String key) {
            return json.has(key);
        }

        boolean flag(String key) {
            return json.path(key).asBoolean(false);
        }

        String text(String key) {
            return required(key, json.path(key).isTextual()).textValue();
        }

        double number(String key) {
            return required(key, json.path(key).isNumber()).doubleValue();
        }

        /** A pair of whole numbers that are not negative. */
        Resources amount(String key) {
            var pair = required(key, isPair(json.path(key)));
            return new Resources(pair.get(0).longValue(), pair.get(1).longValue());
        }

        private static boolean isPair(JsonNode node) {
            return node.isArray() && node.size() == 2 && isAmount(node.get(0)) && isAmount(node.get(1));
        }

        private static boolean isAmount(JsonNode node) {
            return node.isIntegralNumber() && node.canConvertToLong() && node.longValue() >= 0;
        }

        private JsonNode required(String key, boolean valid) {
            if (!valid) {
                throw malformed("`" + key + "` is missing or not of the kind it should be: " + json.path(key));
            }
            return json.get(key);
        }

        /** An error in this line, described by a sentence. */
        public MalformedRecordingException malformed(String sentence) {
            return new MalformedRecordingException(file + " line " + number + " (" + place() + "): " + sentence);
        }
    }
}
