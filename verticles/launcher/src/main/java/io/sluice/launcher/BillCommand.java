package io.sluice.launcher;

import io.sluice.billing.BillingConfig;
import io.sluice.billing.bill.BillReader;
import io.sluice.billing.core.Bill;
import io.sluice.billing.wire.UsageMetricNames;
import io.sluice.launcher.client.TimeText;
import io.sluice.launcher.config.Settings;
import io.sluice.launcher.core.BillTable;
import io.sluice.shell.config.ConfigException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Sums the bills in the files of this machine, and compares them with what the ledger held. */
@Command(
        name = "bill",
        description = "Sums what was billed, from the files on this machine, and compares it with what the ledger held."
                + " Exit status 1 where more was billed than was held, or a line of a file is no bill.",
        mixinStandardHelpOptions = true)
final class BillCommand implements Callable<Integer> {
    private static final int BAD_LINES_SHOWN = 10;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            converter = TimeText.class,
            description = "windows that begin then or later, such as 2026-11-21T00:00:00Z; by default today's")
    private Optional<Instant> from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            converter = TimeText.class,
            description = "and before then; by default now")
    private Optional<Instant> to;

    @Option(names = "--vm", paramLabel = "NAME", description = "only this VM, as NAME or NAMESPACE/NAME")
    private Optional<String> vm;

    @Option(names = "--endpoint", paramLabel = "ID", description = "only this endpoint")
    private Optional<String> endpoint;

    @Option(names = "--config", paramLabel = "FILE", description = "the config of the process that writes the files")
    private Optional<Path> config;

    @Option(names = "--directory", paramLabel = "DIR", description = "the files' directory, if not that of the config")
    private Optional<Path> directory;

    private final PrintStream out = System.out;

    @Override
    public Integer call() {
        var billing = config.map(file ->
                        Settings.read(ProcessConfigSources.of(file)).config().billing())
                .orElse(BillingConfig.DEFAULTS);
        var now = Instant.now();
        var begin = from.orElse(now.truncatedTo(ChronoUnit.DAYS));
        var end = to.orElse(now);
        if (begin.isAfter(end)) {
            throw new ConfigException(List.of("--from=" + begin + " must not be later than --to=" + end + "."));
        }
        var files = directory.orElseGet(() -> written(billing));
        if (!Files.isDirectory(files)) {
            return unreadable(files, "there is no such directory");
        }
        var metrics = new UsageMetricNames(billing.cpuMetricName(), billing.activeTimeMetricName());
        try {
            return print(new BillReader(metrics, begin, end).read(files));
        } catch (IOException unreadable) {
            return unreadable(files, unreadable.getMessage());
        }
    }

    /** The configured directory. A blank name would mean the working directory. */
    private static Path written(BillingConfig billing) {
        if (!billing.file().on()) {
            throw new ConfigException(List.of("billing.file.directory is blank, so bills are not written to files:"
                    + " --directory names their directory."));
        }
        return Path.of(billing.file().directory());
    }

    private static int unreadable(Path files, String why) {
        System.err.println("sluice: the bills in " + files + " cannot be read: " + why
                + ". --directory or --config names their directory.");
        return Main.FAILED;
    }

    private int print(BillReader.Found found) {
        var bills = found.bills().stream().filter(this::isWanted).toList();
        BillTable.lines(bills).forEach(out::println);
        found.badLines().stream().limit(BAD_LINES_SHOWN).forEach(bad -> out.println("no bill: " + bad));
        if (found.badLines().size() > BAD_LINES_SHOWN) {
            out.println("and " + (found.badLines().size() - BAD_LINES_SHOWN) + " more such lines");
        }
        if (found.uncertain() > 0) {
            out.println(found.uncertain() + " lines may be counted twice: they are earlier than lines before them, and"
                    + " only the last " + BillReader.KEYS_KEPT
                    + " are compared. A receiver that compares all keys drops repetitions.");
        }
        return isSound(bills, found) ? Main.OK : Main.FAILED;
    }

    private static boolean isSound(List<Bill> bills, BillReader.Found found) {
        return found.badLines().isEmpty() && bills.stream().allMatch(bill -> bill.above() == 0);
    }

    private boolean isWanted(Bill bill) {
        return endpoint.map(bill.endpoint()::equals).orElse(true)
                && vm.map(name -> bill.vm().equals(name) || bill.vm().endsWith("/" + name))
                        .orElse(true);
    }
}
