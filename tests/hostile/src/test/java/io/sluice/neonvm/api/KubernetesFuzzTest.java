package io.sluice.neonvm.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.hostile.Fuzz;
import io.sluice.hostile.Mutator;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.core.observed.ClusterModel;
import io.sluice.neonvm.lease.LeaseText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Lines of a watch for the code that splits them and for the reader of each kind of object: it returns an observation,
 * or none and a warning. A line that is not JSON ends the watch with an {@link IOException}.
 */
@Isolated("measures what the heap keeps")
class KubernetesFuzzTest {
    private static final int BYTES_MAX = 16 << 10;
    private static final String WATCH = """
        {"type":"MODIFIED","object":{"kind":"VirtualMachine","apiVersion":"vm.neon.tech/v1",
         "metadata":{"namespace":"ns","name":"db","uid":"u1","resourceVersion":"7",
          "creationTimestamp":"2026-11-21T00:00:00Z","labels":{"autoscaling.neon.tech/enabled":"true"},
          "annotations":{"autoscaling.neon.tech/bounds":
            "{\\"min\\":{\\"cpu\\":\\"500m\\",\\"mem\\":\\"2Gi\\"},\\"max\\":{\\"cpu\\":2,\\"mem\\":\\"8Gi\\"}}",
           "autoscaling.neon.tech/config":"{\\"enableLFCMetrics\\":true,\\"loadAverageFractionTarget\\":0.9}",
           "internal.autoscaling.neon.tech/resources-approved":"{\\"vCPUs\\":1,\\"mem\\":\\"4Gi\\"}",
           "autoscaling.sluice.io/metrics":"9200/stats","autoscaling.sluice.io/monitor":"9400"},
          "managedFields":[{"time":"2026-11-21T00:00:01Z"}]},
         "spec":{"schedulerName":"autoscale-scheduler","overcommit":{"cpu":"1.5","memory":2},
          "targetRevision":{"revision":{"value":7,"flags":1}},
          "guest":{"cpus":{"min":0.25,"max":4,"use":"500m"},"memorySlots":{"min":1,"max":16,"use":2},
           "memorySlotSize":"1Gi"}},
         "status":{"phase":"Running","podName":"db-0","podIP":"10.0.0.1","node":"n1","cpus":"250m",
          "memorySize":"3Gi","currentRevision":{"revision":{"value":7,"flags":1}}}}}

        {"type":"ADDED","object":{"kind":"VirtualMachineMigration",
         "metadata":{"namespace":"ns","name":"m","uid":"m1","resourceVersion":"9",
          "creationTimestamp":"2026-11-21T00:00:00Z","deletionTimestamp":"2026-11-21T00:02:00Z",
          "labels":{"autoscaling.neon.tech/created-by-scheduler":"true"},"annotations":{}},
         "spec":{"vmName":"db"},
         "status":{"phase":"Running","sourcePodName":"db-0","targetPodName":"db-1"}}}

        {"type":"ADDED","object":{"kind":"Pod",
         "metadata":{"namespace":"ns","name":"p","uid":"p1","resourceVersion":"5",
          "creationTimestamp":"1970-01-01T00:01:00Z","labels":{"vm.neon.tech/name":"db"},
          "annotations":{"vm.neon.tech/usage":"{\\"cpu\\":\\"500m\\",\\"memory\\":\\"2Gi\\"}"},
          "ownerReferences":[{"kind":"VirtualMachineMigration","apiVersion":"vm.neon.tech/v1","name":"m",
           "controller":true}]},
         "spec":{"nodeName":"n1"},"status":{"phase":"Running"}}}

        {"type":"ADDED","object":{"kind":"Pod",
         "metadata":{"namespace":"ns","name":"q","uid":"p2","resourceVersion":"6"},
         "spec":{"nodeName":"n1","overhead":{"cpu":"10m"},
          "resources":{"requests":{"memory":"3Gi"}},
          "containers":[{"name":"a","resources":{"requests":{"cpu":"1","memory":"1Gi"}}},
           {"name":"b","resources":{"requests":{"cpu":0.5}}}],
          "initContainers":[{"name":"i","restartPolicy":"Always","resources":{"requests":{"cpu":"2"}}}]},
         "status":{"phase":"Running","conditions":[{"type":"PodResizePending","reason":"Deferred"}],
          "containerStatuses":[{"name":"a","allocatedResources":{"cpu":"2"},
           "resources":{"requests":{"cpu":"1500m"}}}]}}}

        {"type":"ADDED","object":{"kind":"Node","metadata":{"name":"n1","resourceVersion":"3"},
         "spec":{"unschedulable":false,"taints":[{"key":"dedicated","value":"db","effect":"NoSchedule"}]},
         "status":{"allocatable":{"cpu":"16","memory":"65536Ki"},
          "conditions":[{"type":"Ready","status":"True"}]}}}

        {"type":"MODIFIED","object":{"kind":"Lease","apiVersion":"coordination.k8s.io/v1",
         "metadata":{"namespace":"kube-system","name":"sluice","uid":"l1","resourceVersion":"11"},
         "spec":{"holderIdentity":"a","leaseDurationSeconds":15,"leaseTransitions":3,
          "acquireTime":"2026-11-21T00:00:00.000000Z","renewTime":"2026-11-21T00:00:05.000000Z"}}}
        """;

    /** Each object as one line, as the API server writes it. */
    private static final List<byte[]> CORPUS = Mutator.texts(Stream.of(WATCH.split("\\n\\n"))
            .map(object -> object.replaceAll("\\n\\s*", "") + "\n")
            .toArray(String[]::new));

    private static final List<byte[]> WORDS = Mutator.texts(
            "\n",
            "null",
            "{}",
            "[]",
            "\"cpu\":\"1e3\"",
            "\"memory\":-1",
            "\"use\":null",
            "\"resourceVersion\":\"x\"",
            "\"uid\":\"\"",
            "\\u0000",
            "\\ud800",
            "\"time\":\"+1000000000-01-01T00:00:00Z\"",
            "16Ei",
            "1n",
            "0.1u",
            "\"Infinity\"",
            ",",
            ":");

    private static final class Watch implements Fuzz.Target {
        private final ObjectReader reader = new ObjectReader(ClusterConfig.DEFAULTS, new SimpleMeterRegistry());
        private final ClusterModel model = new ClusterModel();

        @Override
        public boolean play(byte[] input, RandomGenerator random) {
            try {
                var lines = new JsonLines();
                int cut = random.nextInt(input.length + 1);
                boolean read = false;
                for (var pieces :
                        List.of(ByteBuffer.wrap(input, 0, cut), ByteBuffer.wrap(input, cut, input.length - cut))) {
                    for (var line : lines.take(List.of(pieces))) {
                        read |= isRead(line.path("object"), random);
                    }
                }
                return read;
            } catch (IOException ended) {
                return false;
            } finally {
                reader.keepOnly(List.of(), List.of());
            }
        }

        /** Reads the object by its kind; if it has none, by any. */
        private boolean isRead(JsonNode object, RandomGenerator random) {
            ObjectReader.uid(object);
            return switch (object.path("kind")
                    .asText(List.of("Pod", "Node", "VirtualMachine", "VirtualMachineMigration")
                            .get(random.nextInt(4)))) {
                case "VirtualMachine" -> reader.vm(object, model).isPresent();
                case "VirtualMachineMigration" ->
                    reader.migration(object, Optional.empty()).isPresent();
                case "Pod" ->
                    reader.counts(object)
                            && reader.pod(object, Optional.empty()).isPresent();
                case "Lease" -> LeaseText.isRead(object);
                default -> reader.node(object, Optional.empty()).isPresent();
            };
        }

        @Override
        public Object state() throws IOException {
            var fresh = new ObjectReader(ClusterConfig.DEFAULTS, new SimpleMeterRegistry());
            var observed = new ArrayList<Object>();
            for (var text : CORPUS.subList(0, 5)) {
                var object = new JsonLines()
                        .take(List.of(ByteBuffer.wrap(text)))
                        .getFirst()
                        .path("object");
                for (var read : List.of(reader, fresh)) {
                    observed.add(
                            switch (object.path("kind").asText()) {
                                case "VirtualMachine" -> read.vm(object, model);
                                case "VirtualMachineMigration" -> read.migration(object, Optional.empty());
                                case "Pod" -> read.pod(object, Optional.empty());
                                default -> read.node(object, Optional.empty());
                            });
                }
            }
            reader.keepOnly(List.of(), List.of());
            return observed;
        }
    }

    @Test
    void aLineIsReadOrComplainedOfAndNothingElse() throws Exception {
        Fuzz.play("Kubernetes objects", 20, new Mutator(CORPUS, WORDS, BYTES_MAX), new Watch());
    }
}
