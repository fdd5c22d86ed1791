package io.sluice.launcher;

import io.sluice.hostile.Fuzz;
import io.sluice.hostile.Mutator;
import io.sluice.launcher.config.Settings;
import io.sluice.shell.config.ConfigException;
import io.sluice.shell.config.YamlText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A file, variables and properties for the reader of the whole config: it returns a config, or sentences that describe
 * the errors. An input contains the lines of all three; a line that looks like a variable or a property is one.
 */
@Isolated("measures what the heap keeps")
class ConfigFuzzTest {
    /** Modules are built with their own folder as the working directory. */
    private static final Path CONFIG = Path.of("..", "..", "config");

    private static final int BYTES_MAX = 16 << 10;
    private static final int SENTENCE_MAX = 1000;

    /** Each wrong word of a list is reported with the allowed words. */
    private static final int CHARACTERS_A_BYTE = 80;

    private static final String VARIABLE = "SLUICE_";
    private static final String PROPERTY = "-Dsluice.";
    private static final String OVERRIDES = """
        roles: [all]
        agent: {scrapePeriod: 5s, scaling: {cpuStableZoneRatio: 0.1}}
        SLUICE_AGENT_SCRAPE_TIMEOUT=1s
        SLUICE_LEDGER_PERMIT_VALID_FOR=10s
        SLUICE_GATEWAY_AGENT_PORT=0
        -Dsluice.pressure.cooldown=30s
        -Dsluice.monitor.maxSessions=100
        -Dsluice.roles=ledger,agent
        """;
    private static final List<byte[]> WORDS = Mutator.texts(
            "\n",
            ": ",
            "- ",
            "? ",
            "&a ",
            "*a",
            "!!int ",
            "!!binary ",
            "!!float .inf",
            "---\n",
            "...\n",
            "%YAML 9.9\n",
            "<<: ",
            "|\n ",
            ">-\n ",
            "\t",
            "{",
            "}",
            "[",
            "]",
            "# ",
            "~",
            "yes",
            "0o17",
            "0b11",
            "1:60",
            ".5",
            "-.inf",
            "2001-01-01",
            "\"\\x41\"",
            "\"\\u",
            "SLUICE_",
            "SLUICE_AGENT_",
            "-Dsluice.",
            "=",
            "100%",
            "-1%",
            "1e9Gi",
            "99999999999s",
            "999999999h",
            "all",
            "lab: {}\n",
            "roles: []\n",
            "paused: true\n");

    private static List<byte[]> corpus() throws IOException {
        var corpus = new ArrayList<byte[]>(Mutator.texts(OVERRIDES));
        try (var files = Files.list(CONFIG)) {
            for (var file : files.filter(found -> found.toString().endsWith(".yaml"))
                    .sorted()
                    .toList()) {
                corpus.add(Files.readAllBytes(file));
            }
        }
        return corpus;
    }

    private static final class Loader implements Fuzz.Target {
        @Override
        public boolean play(byte[] input, RandomGenerator random) {
            try {
                return read(new String(input, StandardCharsets.UTF_8)) != null;
            } catch (ConfigException refused) {
                refused.errors().forEach(sentence -> check(sentence, input.length));

                return false;
            }
        }

        private static Settings read(String input) {
            var file = new StringBuilder();
            var environment = new HashMap<String, String>();
            var properties = new HashMap<String, String>();
            for (var line : input.split("(?<=\n)")) {
                if (line.startsWith(VARIABLE)) {
                    put(line, environment);
                } else if (line.startsWith(PROPERTY)) {
                    put(line.substring(2), properties);
                } else {
                    file.append(line);
                }
            }
            return Settings.read(
                    ProcessConfigSources.of(YamlText.parse(file.toString(), "the file"), environment, properties));
        }

        private static void put(String line, Map<String, String> values) {
            var parts = line.stripTrailing().split("=", 2);
            values.put(parts[0], parts.length == 1 ? "" : parts[1]);
        }

        private static void check(String sentence, int inputBytes) {
            if (sentence.isBlank() || sentence.length() > SENTENCE_MAX + CHARACTERS_A_BYTE * inputBytes) {
                throw new IllegalStateException("a sentence of " + sentence.length() + " characters: " + sentence);
            }
        }

        @Override
        public Object state() throws IOException {
            return corpus().stream()
                    .map(input -> read(new String(input, StandardCharsets.UTF_8)))
                    .toList();
        }
    }

    @Test
    void aConfigIsReadOrRefusedInSentencesAndNothingElse() throws Exception {
        Fuzz.play("config", 4, new Mutator(corpus(), WORDS, BYTES_MAX), new Loader());
    }
}
