package io.sluice.sinks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A program that stands in for an object store, run as a process of its own on a port of this machine. */
final class StandIn {
    private static final String PROPERTY = "sinks.stand-ins";
    private static final Pattern LISTENING = Pattern.compile("listen(?:s|ing) on .*:(\\d+)$");
    private static final int START_SECONDS_MAX = 60;

    private final String program;
    private final String portOption;
    private final List<String> options;
    private Process process;
    private int port;

    private StandIn(String program, String portOption, List<String> options) {
        this.program = program;
        this.portOption = portOption;
        this.options = options;
    }

    /** Whether the build has put them where these tests look. */
    static boolean areThere() {
        var where = System.getProperty(PROPERTY, "");
        return !where.isEmpty() && Files.isDirectory(Path.of(where));
    }

    /** An S3 with that bucket, which checks signatures of its only user. */
    static StandIn s3rver(Path data, String bucket) {
        return new StandIn(
                "s3rver",
                "-p",
                List.of("-a", "127.0.0.1", "-d", data.toString(), "--no-vhost-buckets", "--configure-bucket", bucket));
    }

    /** An Azure Blob storage without a container, which notes all that it is asked in a file. */
    static StandIn azurite(Path data, Path log) {
        // It does not know the newest version of the API yet, of which nothing new is used here.
        return new StandIn(
                "azurite-blob",
                "--blobPort",
                List.of(
                        "-l",
                        data.toString(),
                        "--debug",
                        log.toString(),
                        "--silent",
                        "--skipApiVersionCheck",
                        "--disableProductStyleUrl"));
    }

    /** Starts it, where it was before if it was anywhere, and returns once it listens. */
    StandIn start() throws Exception {
        var path = Path.of(System.getProperty(PROPERTY), "node_modules", ".bin", program);
        var command = new ArrayList<>(List.of("node", path.toString(), portOption, String.valueOf(port)));
        command.addAll(options);
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var listening = new CompletableFuture<Integer>();
        Thread.ofVirtual().start(() -> read(process, listening));
        port = listening.get(START_SECONDS_MAX, TimeUnit.SECONDS);
        return this;
    }

    /** Where it listens. */
    String url() {
        return "http://127.0.0.1:" + port;
    }

    /** Ends it at once; what it was given is still there when it is started again. */
    void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    /** Reads on to the end, as a process whose words nobody takes comes to a halt. */
    private static void read(Process process, CompletableFuture<Integer> listening) {
        var said = new StringBuilder();
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                var matcher = LISTENING.matcher(line);
                if (matcher.find()) {
                    listening.complete(Integer.valueOf(matcher.group(1)));
                } else if (!listening.isDone()) {
                    said.append(line).append('\n');
                }
            }
            listening.completeExceptionally(new IOException("the stand-in ended: " + said));
        } catch (IOException broken) {
            listening.completeExceptionally(new UncheckedIOException(broken));
        }
    }
}
