package io.sluice.shell.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.JacksonYAMLParseException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads one YAML document of keys; refuses repeated keys, further documents, aliases and large files. */
public final class YamlText {
    /** A larger file is refused. */
    public static final int BYTES_MAX = 1 << 20;

    private static final int MESSAGE_MAX = 300;

    private static final YAMLMapper MAPPER = YAMLMapper.builder(YAMLFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS)
                    .build())
            .build();

    private YamlText() {}

    /**
     * Reads the keys of a file.
     *
     * @throws ConfigException when it cannot be read as one document of keys
     */
    public static ObjectNode read(Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                throw refused("the config file " + file + " does not exist or is no plain file.");
            }
            if (Files.size(file) > BYTES_MAX) {
                throw refused("the config file " + file + " has more than " + BYTES_MAX + " bytes.");
            }
            return parse(Files.readString(file), file.toString());
        } catch (CharacterCodingException binary) {
            throw refused("the config file " + file + " is not text in UTF-8.");
        } catch (IOException unreadable) {
            throw refused("the config file " + file + " cannot be read: " + unreadable.getMessage() + ".");
        }
    }

    /**
     * Parses the keys of a text.
     *
     * @param name for error messages
     * @throws ConfigException when it is not one document of keys
     */
    public static ObjectNode parse(String text, String name) {
        try {
            refuseAliases(text, name);
            try (var parser = MAPPER.createParser(text)) {
                JsonNode tree = MAPPER.readTree(parser);
                if (parser.nextToken() != null) {
                    throw refused(name + " holds more than one YAML document.");
                }
                return asKeys(tree, name);
            }
        } catch (JacksonYAMLParseException broken) {
            throw refused(name + " is no YAML: " + oneLine(broken.getOriginalMessage()) + ".");
        } catch (JsonProcessingException broken) {
            var at = broken.getLocation();
            throw refused(name + (at == null ? "" : ", line " + at.getLineNr() + ", column " + at.getColumnNr()) + ": "
                    + oneLine(broken.getOriginalMessage()) + ".");
        } catch (IOException impossible) {
            throw new IllegalStateException("a text in memory cannot fail to be read", impossible);
        }
    }

    private static ObjectNode asKeys(JsonNode tree, String name) {
        if (tree == null || tree.isMissingNode() || tree.isNull()) {
            return JsonNodeFactory.instance.objectNode();
        }
        if (tree instanceof ObjectNode keys) {
            return keys;
        }
        throw refused(name + " must hold keys with values, not a list or a single word.");
    }

    /** The tree reader would take an alias for the text of its name, so a first pass finds aliases. */
    private static void refuseAliases(String text, String name) throws IOException {
        try (YAMLParser parser = MAPPER.getFactory().createParser(text)) {
            while (parser.nextToken() != null) {
                if (parser.isCurrentAlias()) {
                    throw refused(
                            name + ", line " + parser.currentTokenLocation().getLineNr()
                                    + ": aliases are not supported; write the value out.");
                }
            }
        }
    }

    /** Puts the parser's message on one line, and cuts it where it quotes a long text. */
    private static String oneLine(String message) {
        var line = message.replaceAll("\\s+", " ").strip();
        return line.length() <= MESSAGE_MAX ? line : line.substring(0, MESSAGE_MAX) + "...";
    }

    private static ConfigException refused(String sentence) {
        return new ConfigException(List.of(sentence));
    }
}
