package io.sluice.launcher.client;

import io.sluice.launcher.client.TopScreen.Key;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.Terminal.SignalHandler;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.Curses;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows nodes, VMs, waiting pods and migrations as they change. */
@Command(
        name = "top",
        description = {
            "Shows nodes, VMs, waiting pods and migrations as they change, and why one is as it is.",
            "Where the output is no terminal, it prints one table once."
        },
        mixinStandardHelpOptions = true)
public final class TopCommand implements Callable<Integer> {
    @Option(
            names = "--view",
            paramLabel = "nodes|vms|pods|migrations",
            defaultValue = "vms",
            description = "the first table; by default ${DEFAULT-VALUE}")
    private TopView view;

    @Option(names = "--once", description = "print the table once, on a terminal too")
    private boolean once;

    @Mixin
    private ConsoleOptions console;

    @Mixin
    private OutputOption output;

    private final PrintStream out = System.out;

    @Override
    public Integer call() throws IOException {
        if (!output.isTable()) {
            output.print(console.client().json(view == TopView.PODS ? "api/pods" : "api/fleet"), out);
        } else if (once || System.console() == null || !System.console().isTerminal()) {
            var fleet = new TopFleet();
            new TopFeed(console.client(), fleet).once();
            new TopScreen(view).table(fleet).forEach(out::println);
        } else {
            Live.show(console.client(), view);
        }
        return 0;
    }

    /** The live view; its libraries are loaded for it alone. */
    private static final class Live {
        private static final int DRAW_MILLIS = 1_000;
        private static final int SEQUENCE_MILLIS = 20;
        private static final int REASONS = 200;
        private static final int CONTROL = 32;
        private static final int INTERRUPTED = 130;
        private static final Map<String, Key> SEQUENCES = Map.ofEntries(
                Map.entry("[A", Key.UP),
                Map.entry("OA", Key.UP),
                Map.entry("[B", Key.DOWN),
                Map.entry("OB", Key.DOWN),
                Map.entry("[5~", Key.PAGE_UP),
                Map.entry("[6~", Key.PAGE_DOWN),
                Map.entry("[H", Key.HOME),
                Map.entry("[1~", Key.HOME),
                Map.entry("OH", Key.HOME),
                Map.entry("[F", Key.END),
                Map.entry("[4~", Key.END),
                Map.entry("OF", Key.END));

        private final Terminal terminal;
        private final ConsoleClient client;
        private final TopFleet fleet = new TopFleet();
        private final TopScreen screen;
        private final AtomicReference<List<String>> explained = new AtomicReference<>();
        private final String before;
        private volatile Size size;
        private boolean restored;

        private Live(Terminal terminal, ConsoleClient client, TopView view) {
            this.terminal = terminal;
            this.client = client;
            this.screen = new TopScreen(view);
            readSize();
            this.before = Stream.of(Capability.cursor_visible, Capability.keypad_local, Capability.exit_ca_mode)
                    .map(terminal::getStringCapability)
                    .map(Curses::tputs)
                    .collect(Collectors.joining());
        }

        /** Shows the live view until it is ended; a signal ends it too. */
        static void show(ConsoleClient client, TopView view) throws IOException {
            // By stty: a library of native code is not needed for it.
            var terminal = TerminalBuilder.builder()
                    .system(true)
                    .provider("exec")
                    .signalHandler(SignalHandler.SIG_IGN)
                    .build();
            var live = new Live(terminal, client, view);
            terminal.handle(Signal.WINCH, resized -> live.readSize());
            terminal.handle(Signal.INT, ended -> System.exit(INTERRUPTED));
            Runtime.getRuntime().addShutdownHook(new Thread(live::restore, "sluice-top-end"));
            new TopFeed(client, live.fleet).start();
            try {
                live.run();
            } finally {
                live.restore();
            }
        }

        private void run() throws IOException {
            terminal.enterRawMode();
            terminal.puts(Capability.enter_ca_mode);
            terminal.puts(Capability.keypad_xmit);
            terminal.puts(Capability.cursor_invisible);
            var display = new Display(terminal, true);
            boolean goesOn = true;
            while (goesOn) {
                draw(display);
                int read = terminal.reader().read(DRAW_MILLIS);
                goesOn = read == NonBlockingReader.READ_EXPIRED || read >= 0 && pressed((char) read);
            }
        }

        /** Nothing is drawn once the terminal is as before: a signal may come at any time. */
        private synchronized void draw(Display display) {
            if (restored) {
                return;
            }
            Optional.ofNullable(explained.getAndSet(null)).ifPresent(screen::explain);
            display.resize(size.getRows(), size.getColumns());
            display.update(screen.lines(fleet, size.getColumns(), size.getRows()), 0);
        }

        /** It takes another process, so it is not read for each draw. */
        private void readSize() {
            size = terminal.getSize();
        }

        /** Returns false if the key ends the view. */
        private boolean pressed(char character) throws IOException {
            switch (character) {
                case '\r', '\n' -> {
                    if (screen.canExplain()) {
                        screen.selected().ifPresent(this::explain);
                    }
                    screen.pressed(Key.ENTER);
                }
                case '\u001b' -> {
                    var key = SEQUENCES.get(sequence());
                    screen.pressed(key == null ? Key.ESCAPE : key);
                }
                case '\u007f', '\b' -> screen.pressed(Key.ERASE);
                default -> {
                    return character < CONTROL || screen.typed(character);
                }
            }
            return true;
        }

        /** What follows an escape at once; empty for the key itself. */
        private String sequence() throws IOException {
            var sequence = new StringBuilder();
            int next = terminal.reader().read(SEQUENCE_MILLIS);
            while (next >= 0) {
                sequence.append((char) next);
                if (sequence.length() > 1 && (Character.isLetter(next) || next == '~')) {
                    break;
                }
                next = terminal.reader().read(SEQUENCE_MILLIS);
            }
            return sequence.toString();
        }

        /** The reply is shown at the next draw, as it may take a while. */
        private void explain(Json row) {
            var path = screen.view().explanation(row);
            boolean ofVm = screen.view() != TopView.NODES;
            screen.explain(List.of("waiting for the reply"));
            Thread.ofPlatform().daemon().name("sluice-top-why").start(() -> {
                try {
                    explained.set(WhyCommand.lines(client.json(path), REASONS, ofVm));
                } catch (ConsoleException refused) {
                    explained.set(List.of(String.valueOf(refused.getMessage())));
                }
            });
        }

        private synchronized void restore() {
            if (!restored) {
                restored = true;
                // At the end of the program the library may have closed its terminal before.
                System.out.print(before);
                System.out.flush();
                try {
                    terminal.close();
                } catch (IOException ended) {
                    System.err.println("sluice: the terminal could not be restored: " + ended.getMessage());
                }
            }
        }
    }
}
