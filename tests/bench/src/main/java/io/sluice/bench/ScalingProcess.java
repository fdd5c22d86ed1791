package io.sluice.bench;

import io.sluice.bench.measurement.Child;
import io.sluice.bench.measurement.Hiccups;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * {@link Scaling} in a process of its own. The arguments are the URL of the API server, the number of VMs, and config
 * keys, {@code NAME=VALUE} each. It reports once all VMs have needed no change; from the first order on it measures its
 * hiccups, and it reports them at the second.
 */
final class ScalingProcess {
    private ScalingProcess() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var keys = Arrays.stream(arguments)
                .skip(2)
                .map(argument -> argument.split("=", 2))
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
        var scaling = new Scaling(arguments[0], keys);
        while (scaling.content().size() < Integer.parseInt(arguments[1])) {
            TimeUnit.MILLISECONDS.sleep(World.LOOK_MS);
        }
        Child.report("all VMs are content");
        Child.order().orElseThrow();
        var hiccups = Hiccups.start();
        Child.order().orElseThrow();
        Child.report(hiccups.late().columns(0.5, 0.99, 0.999, 1));
        Child.untilParentLeaves();
        System.exit(0);
    }
}
