package io.sluice.launcher.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.io.PrintStream;
import picocli.CommandLine.Option;

/** The option of commands that print a reply as a table, or as it is for other programs. */
public final class OutputOption {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "table|json|yaml",
            defaultValue = "table",
            description = "a table to read, or the reply of the process as JSON or YAML; by default ${DEFAULT-VALUE}")
    private Format format;

    /** How a reply is printed. */
    enum Format {
        /** For people. */
        TABLE,
        /** For programs. */
        JSON,
        /** For programs. */
        YAML
    }

    boolean isTable() {
        return format == Format.TABLE;
    }

    /** Prints a reply as JSON or YAML. */
    void print(Json reply, PrintStream out) {
        out.println(reply.text(format == Format.JSON ? new JsonFactory() : Yaml.FACTORY)
                .strip());
    }

    /** Loaded only where YAML is printed. */
    private static final class Yaml {
        private static final JsonFactory FACTORY = YAMLFactory.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                .build();
    }
}
