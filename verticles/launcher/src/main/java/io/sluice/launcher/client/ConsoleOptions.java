package io.sluice.launcher.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of commands that send requests to the console listener of a running process. */
public final class ConsoleOptions {
    /** The environment variable with the listener's URL. */
    public static final String URL = "SLUICE_URL";

    private static final String DEFAULT = "http://127.0.0.1:8080";
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "${env:" + URL + ":-" + DEFAULT + "}",
            description = "the console listener of the process; by default " + URL + ", else " + DEFAULT)
    private String url;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "a file with the listener's token in its first line")
    private Optional<Path> tokenFile;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "PEM file with the certificates of the listener's issuers; by default the JDK's")
    private Optional<Path> ca;

    /** A client that waits half a minute for the head of a response. */
    ConsoleClient client() {
        return client(ANSWER_MAX);
    }

    ConsoleClient client(Duration answerMax) {
        return ConsoleClient.of(url, tokenFile, ca, answerMax);
    }
}
