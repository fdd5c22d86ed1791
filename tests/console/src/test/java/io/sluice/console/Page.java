package io.sluice.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** One page of the browser. Every failure in it (an exception, a refused resource) is recorded as a problem. */
final class Page implements AutoCloseable {
    private static final int AWAIT_SECONDS = 90;
    private static final String NETWORK_CHANGED = "net::ERR_NETWORK_CHANGED";
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final Map<String, Integer> KEY_CODES = Map.ofEntries(
            Map.entry("Enter", 13),
            Map.entry("Escape", 27),
            Map.entry("Tab", 9),
            Map.entry("ArrowLeft", 37),
            Map.entry("ArrowUp", 38),
            Map.entry("ArrowRight", 39),
            Map.entry("ArrowDown", 40),
            Map.entry("End", 35),
            Map.entry("Home", 36),
            Map.entry("PageDown", 34));

    private final DevTools tools;
    private final String session;
    private final String context;
    private final List<String> problems = new CopyOnWriteArrayList<>();

    Page(DevTools tools, String session, String context) {
        this.tools = tools;
        this.session = session;
        this.context = context;
        tools.onEvent(this::receive);
        List.of("Page", "Runtime", "Log", "HeapProfiler").forEach(each -> request(each + ".enable", Map.of()));
        // By the thread's CPU clock, which does not depend on other work of the machine.
        request("Performance.enable", Map.of("timeDomain", "threadTicks"));
        size(1440, 900);
        light();
    }

    Page size(int width, int height) {
        request(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        return this;
    }

    Page light() {
        return media("light", "no-preference");
    }

    Page dark() {
        return media("dark", "no-preference");
    }

    Page media(String scheme, String motion) {
        request(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", scheme),
                                Map.of("name", "prefers-reduced-motion", "value", motion))));
        return this;
    }

    Page go(String address) {
        request("Page.navigate", Map.of("url", address));
        return this;
    }

    /** The value of an expression; a promise is awaited. */
    JsonNode observe(String expression) {
        var answer = request(
                "Runtime.evaluate",
                Map.of("expression", expression, "awaitPromise", true, "returnByValue", true, "userGesture", true));
        if (answer.has("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + answer.get("exceptionDetails"));
        }
        var value = answer.get("result").get("value");
        return value == null ? MissingNode.getInstance() : value;
    }

    String text(String selector) {
        return observe("document.querySelector(" + quoted(selector) + ")?.innerText ?? ''")
                .asText();
    }

    int count(String selector) {
        return observe("document.querySelectorAll(" + quoted(selector) + ").length")
                .asInt();
    }

    /** Waits until an expression is true. */
    Page await(String expression) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(AWAIT_SECONDS);
        while (System.nanoTime() < deadline) {
            loadAgainIfNetworkChanged();
            // Between two documents no expression can be evaluated.
            if (observe("Boolean((() => { try { return " + expression + "; } catch { return false; } })())")
                    .asBoolean()) {
                return this;
            }
            Pause.milliseconds(50);
        }
        throw new AssertionError(
                "Never true: " + expression + "\nThe page shows: " + text("body") + "\nProblems: " + problems);
    }

    /** Chromium gives up all loads when an interface of the machine comes or goes, as those of other tests do. */
    private void loadAgainIfNetworkChanged() {
        if (problems.removeIf(problem -> problem.contains(NETWORK_CHANGED))) {
            request("Page.reload", Map.of());
        }
    }

    /** Waits until the fleet was drawn: on a busy machine the page is drawn before its first data arrives. */
    Page awaitFleet() {
        return await("document.body.dataset.link === 'live'"
                + " && performance.getEntriesByName('sluice-fleet-drawn').length > 0");
    }

    Page awaitText(String selector, String part) {
        return await("document.querySelector(" + quoted(selector) + ")?.innerText.includes(" + quoted(part) + ")");
    }

    Page click(String selector) {
        await("document.querySelector(" + quoted(selector) + ")");
        observe("document.querySelector(" + quoted(selector) + ").click()");
        return this;
    }

    /**
     * Presses and releases keys by name, one after the other. All are sent at once, as the console waits for the second
     * key of a pair for a short time only.
     */
    Page press(String... keys) {
        var events = new ArrayList<Map<String, ?>>();
        for (var key : keys) {
            boolean character = key.length() == 1;
            int code = character ? 0 : KEY_CODES.get(key);
            var down = character
                    ? Map.of("type", "keyDown", "key", key, "text", key)
                    : key.equals("Enter")
                            ? Map.of("type", "keyDown", "key", key, "windowsVirtualKeyCode", code, "text", "\r")
                            : Map.of("type", "rawKeyDown", "key", key, "windowsVirtualKeyCode", code);
            events.add(down);
            events.add(Map.of("type", "keyUp", "key", key, "windowsVirtualKeyCode", code));
        }
        tools.requestAll(session, "Input.dispatchKeyEvent", events);
        return this;
    }

    Page type(String text) {
        request("Input.insertText", Map.of("text", text));
        return this;
    }

    Page point(double x, double y) {
        request("Input.dispatchMouseEvent", Map.of("type", "mouseMoved", "x", x, "y", y));
        return this;
    }

    /** Presses and releases the pointer's first button. */
    Page press(double x, double y) {
        for (var type : List.of("mousePressed", "mouseReleased")) {
            request(
                    "Input.dispatchMouseEvent",
                    Map.of("type", type, "x", x, "y", y, "button", "left", "buttons", 1, "clickCount", 1));
        }
        return this;
    }

    /** A picture of the visible page, into {@code target/screenshots}. */
    Page screenshot(String name) {
        // Two frames: the last requested redraw is done by then.
        observe("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
        var picture = request("Page.captureScreenshot", Map.of("format", "png"))
                .get("data")
                .asText();
        try {
            Files.createDirectories(SCREENSHOTS);
            Files.write(SCREENSHOTS.resolve(name + ".png"), Base64.getDecoder().decode(picture));
        } catch (IOException unwritten) {
            throw new UncheckedIOException(unwritten);
        }
        return this;
    }

    /** The size of its live objects in bytes, after a garbage collection. */
    long heapBytes() {
        request("HeapProfiler.collectGarbage", Map.of());
        request("HeapProfiler.collectGarbage", Map.of());
        return (long) metric("JSHeapUsedSize");
    }

    /** All nodes of the document: elements, texts and comments. */
    int domNodes() {
        return observe("""
            (() => {
              const walk = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
              let many = 1;
              while (walk.nextNode()) many++;
              return many;
            })()
            """).asInt();
    }

    /** The upper left corner of an element on the screen. */
    double[] corner(String selector) {
        var box = observe("(() => { const box = document.querySelector(" + quoted(selector)
                + ").getBoundingClientRect(); return [box.left, box.top]; })()");
        return new double[] {box.get(0).asDouble(), box.get(1).asDouble()};
    }

    /** How much CPU time its main thread has had since the page was opened. */
    double busySeconds() {
        return metric("TaskDuration");
    }

    private double metric(String name) {
        for (var each : request("Performance.getMetrics", Map.of()).get("metrics")) {
            if (each.get("name").asText().equals(name)) {
                return each.get("value").asDouble();
            }
        }
        throw new IllegalStateException("The browser has no metric " + name);
    }

    /** All but loads that Chromium gave up because an interface of the machine came or went. */
    List<String> problems() {
        return problems.stream()
                .filter(problem -> !problem.contains(NETWORK_CHANGED))
                .toList();
    }

    void forgetProblems() {
        problems.clear();
    }

    @Override
    public void close() {
        tools.request("", "Target.disposeBrowserContext", Map.of("browserContextId", context));
    }

    static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'";
    }

    private JsonNode request(String method, Map<String, ?> params) {
        return tools.request(session, method, params);
    }

    private void receive(JsonNode event) {
        if (!session.equals(event.path("sessionId").asText())) {
            return;
        }
        var params = event.path("params");
        switch (event.path("method").asText()) {
            case "Runtime.exceptionThrown" ->
                problems.add(params.path("exceptionDetails")
                                .path("exception")
                                .path("description")
                                .asText()
                        + params.path("exceptionDetails").path("text").asText());
            case "Log.entryAdded" -> {
                if (params.path("entry").path("level").asText().equals("error")) {
                    problems.add(params.path("entry").path("text").asText() + " "
                            + params.path("entry").path("url").asText());
                }
            }
            case "Runtime.consoleAPICalled" -> {
                if (params.path("type").asText().equals("error")) {
                    problems.add(params.path("args").toString());
                }
            }
            default -> {
                // Ignored.
            }
        }
    }
}
