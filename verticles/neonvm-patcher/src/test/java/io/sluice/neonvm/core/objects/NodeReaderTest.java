package io.sluice.neonvm.core.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.NodeObserved;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeReaderTest {
    private static NodeObserved read(String metadata, String spec, String status) {
        var text = "{'metadata':{'name':'n','resourceVersion':'3'" + metadata + "},'spec':{" + spec + "},'status':{"
                + status + "}}";
        return NodeReader.read(Samples.json(text.replace('\'', '"')));
    }

    @Test
    void readsANodeThatReportsNothingAsHavingNothingAndOpen() {
        var bare = Samples.json("{\"metadata\":{\"name\":\"n\",\"resourceVersion\":\"3\"}}");

        assertThat(NodeReader.read(bare)).isEqualTo(new NodeObserved("n", 3, Resources.NONE));
    }

    @Test
    void readsWhatItCanGiveToPods() {
        var observed = read(
                "",
                "",
                "'capacity':{'cpu':'9','memory':'9Gi'},'allocatable':{'cpu':'7500m','memory':'8Gi','pods':'110','nvidia.com/gpu':'2','hugepages-2Mi':'1Gi'}");

        assertThat(observed.allocatable()).isEqualTo(new Resources(7500, 8L << 30));
        assertThat(observed.fixed())
                .isEqualTo(FixedAmounts.of(Map.of("pods", 110L, "nvidia.com/gpu", 2L, "hugepages-2Mi", 1L << 30)));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        cordoned           | 'unschedulable':true | | cordoned
        and its taint      | 'unschedulable':true,'taints':[{'key':'node.kubernetes.io/unschedulable','effect':'NoSchedule'}] | | cordoned
        cordoned and dead  | 'unschedulable':true | {'type':'Ready','status':'Unknown'} | cordoned and not ready
        not ready          | | {'type':'Ready','status':'False'} | not ready
        unreachable        | 'taints':[{'key':'node.kubernetes.io/unreachable','effect':'NoExecute'}] | {'type':'Ready','status':'Unknown'} | not ready
        short of disk      | 'taints':[{'key':'node.kubernetes.io/disk-pressure','effect':'NoSchedule'}] | | tainted node.kubernetes.io/disk-pressure
        ready              | | {'type':'Ready','status':'True'} | ""
        another condition  | | {'type':'DiskPressure','status':'False'} | ""
        no condition yet   | | | ""
        better not         | 'taints':[{'key':'node.kubernetes.io/x','effect':'PreferNoSchedule'}] | | ""
        """)
    void isClosedWhere(String name, String spec, String condition, String closed) {
        var conditions = condition == null ? "" : "'conditions':[" + condition + "]";

        assertThat(read("", spec == null ? "" : spec, conditions).closed()).isEqualTo(closed);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        ready             | 'unschedulable':true | {'type':'Ready','status':'True'} | true
        False             | | {'type':'Ready','status':'False'} | false
        Unknown           | | {'type':'Ready','status':'Unknown'} | false
        no condition yet  | | | true
        another condition | | {'type':'DiskPressure','status':'False'} | true
        a taint alone     | 'taints':[{'key':'node.kubernetes.io/not-ready','effect':'NoSchedule'}] | | true
        """)
    void isReadyUnlessItsConditionShowsOtherwise(String name, String spec, String condition, boolean ready) {
        var conditions = condition == null ? "" : "'conditions':[" + condition + "]";

        assertThat(read("", spec == null ? "" : spec, conditions).ready()).isEqualTo(ready);
    }

    @Test
    void isClosedWhileItIsBeingDeleted() {
        assertThat(read(",'deletionTimestamp':'2026-11-21T00:00:00Z'", "", "").closed())
                .isEqualTo("being deleted");
    }

    @Test
    void namesTheTaintsThatSomeMayTolerate() {
        var observed = read(
                "",
                "'taints':[{'key':'dedicated','value':'db','effect':'NoSchedule'},{'key':'a','effect':'NoExecute'},"
                        + "{'key':'b','effect':'PreferNoSchedule'}]",
                "");

        assertThat(observed.closed()).isEmpty();
        assertThat(observed.taints()).containsExactly("a:NoExecute", "dedicated=db:NoSchedule");
    }
}
