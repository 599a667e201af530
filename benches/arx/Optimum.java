import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.deidentifier.arx.*;
import org.deidentifier.arx.criteria.DPresence;
import org.deidentifier.arx.metric.Metric;
import org.deidentifier.arx.AttributeType.Hierarchy;

/** The optimum of ARX for δ-presence: prints node, loss and the median time of five searches after three for warming up. */
public class Optimum {
    public static void main(String[] arguments) throws Exception {
        String folder = arguments[0] + "/";
        for (int m = 1; m < arguments.length; m++) {
            double max = Double.parseDouble(arguments[m]);
            double[] seconds = new double[5];
            String line = "";
            for (int run = 0; run < 8; run++) {
                Data data = Data.create(folder + "adult.csv", StandardCharsets.UTF_8, ';');
                Data subset = Data.create(folder + "adult_subset.csv", StandardCharsets.UTF_8, ';');
                DataHandle handle = data.getHandle();
                for (int c = 0; c < handle.getNumColumns(); c++) {
                    String name = handle.getAttributeName(c);
                    File file = new File(folder + "adult_hierarchy_" + name + ".csv");
                    data.getDefinition().setAttributeType(name, AttributeType.QUASI_IDENTIFYING_ATTRIBUTE);
                    data.getDefinition().setHierarchy(name, Hierarchy.create(file, StandardCharsets.UTF_8, ';'));
                }
                ARXConfiguration config = ARXConfiguration.create();
                DataSubset rows = DataSubset.create(data, subset);
                config.addPrivacyModel(new DPresence(0, max, rows));
                config.setSuppressionLimit(0d);
                config.setQualityModel(Metric.createLossMetric(Metric.AggregateFunction.GEOMETRIC_MEAN));
                long start = System.nanoTime();
                ARXResult result = new ARXAnonymizer().anonymize(data, config);
                double time = (System.nanoTime() - start) / 1e9;
                if (run >= 3) seconds[run - 3] = time;
                ARXLattice.ARXNode node = result.getGlobalOptimum();
                line = node == null ? "none" : String.format("%.4f  %s", Double.parseDouble(node.getHighestScore().toString()), Arrays.toString(node.getTransformation()));
            }
            Arrays.sort(seconds);
            System.out.printf("%s  %.3f s  %s%n", arguments[m], seconds[2], line);
        }
    }
}
