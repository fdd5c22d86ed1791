package io.sluice.console;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A headless Chromium of this machine. One serves all tests of a run; each page has a profile of its own, so that no
 * state passes from one test to the next.
 */
final class Chromium implements AutoCloseable {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome", "chrome");
    private static final int START_SECONDS = 120;
    private static Chromium shared;

    private final Process process;
    private final Path profile;
    private final DevTools tools;

    private Chromium(Path program) throws IOException {
        profile = Files.createTempDirectory("sluice-chromium");
        process = new ProcessBuilder(
                        program.toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-extensions",
                        "--no-first-run",
                        "--force-color-profile=srgb",
                        "--lang=en-GB",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(profile.resolve("log").toFile())
                .start();
        tools = new DevTools(awaitAddress());
    }

    /** Where the browser is; empty if there is none. The property {@code sluice.chromium} names another one. */
    static Optional<Path> program() {
        var named = System.getProperty("sluice.chromium");
        if (named != null) {
            return Optional.of(Path.of(named));
        }
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The browser of this run, started on first use. */
    static synchronized Chromium shared() {
        if (shared == null) {
            try {
                shared = new Chromium(program().orElseThrow());
            } catch (IOException unstarted) {
                throw new UncheckedIOException(unstarted);
            }
            Runtime.getRuntime().addShutdownHook(new Thread(shared::close));
        }
        return shared;
    }

    /** A page with a profile of its own. */
    Page open() {
        var context = tools.request("", "Target.createBrowserContext", Map.of())
                .get("browserContextId")
                .asText();
        var target = tools.request("", "Target.createTarget", Map.of("url", "about:blank", "browserContextId", context))
                .get("targetId")
                .asText();
        var session = tools.request("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .get("sessionId")
                .asText();
        return new Page(tools, session, context);
    }

    @Override
    public void close() {
        tools.close();
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        delete(profile);
    }

    /** It writes its port, and the path of its socket, into a file once it listens. */
    private URI awaitAddress() throws IOException {
        var file = profile.resolve("DevToolsActivePort");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (System.nanoTime() < deadline && process.isAlive()) {
            if (Files.exists(file)) {
                var lines = Files.readAllLines(file);
                if (lines.size() == 2) {
                    return URI.create("ws://127.0.0.1:" + lines.get(0) + lines.get(1));
                }
            }
            Pause.milliseconds(50);
        }
        process.destroyForcibly();
        throw new IllegalStateException("The browser did not start: " + Files.readString(profile.resolve("log")));
    }

    private static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException | UncheckedIOException busy) {
            System.err.println("Left behind: " + folder + " (" + busy.getMessage() + ")");
        }
    }
}
