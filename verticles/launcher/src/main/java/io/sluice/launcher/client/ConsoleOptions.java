package io.sluice.launcher.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where a command finds the console door of a running process, and what it shows there. */
public final class ConsoleOptions {
    /** The variable of the environment that names the door. */
    public static final String URL = "SLUICE_URL";

    private static final String DEFAULT = "http://127.0.0.1:8080";
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "${env:" + URL + ":-" + DEFAULT + "}",
            description = "the console door of the process; " + URL + " where it is not given, else " + DEFAULT)
    private String url;

    @Option(names = "--token-file", paramLabel = "FILE", description = "a file whose first line is the door's token")
    private Optional<Path> tokenFile;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "certificates, as PEM, of whoever signed the door's; those of the JDK where it is not given")
    private Optional<Path> ca;

    /** A client that waits half a minute for the head of an answer. */
    ConsoleClient client() {
        return client(ANSWER_MAX);
    }

    ConsoleClient client(Duration answerMax) {
        return ConsoleClient.of(url, tokenFile, ca, answerMax);
    }
}
